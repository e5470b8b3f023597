/** Waiting between attempts. */

/** How often a batch is sent before what is left of it is an error. */
export const BATCH_ATTEMPTS = 8;

/** The longest wait before an attempt, in milliseconds: it doubles with every attempt, up to two seconds. */
export function longestPause(attempt: number): number {
  return Math.min(25 * 2 ** attempt, 2_000);
}

/** Waits a random part of the longest time. */
export function pause(attempt: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, Math.random() * longestPause(attempt)));
}
