/** One call of an operation: its steps one after the other, and the answer from what they read. */

import { decodeCursor, encodeCursor, type Position } from "./cursor.js";
import { ConditionFailedError, ItemNotFoundError } from "./errors.js";
import type { Answer, Operation, Step } from "./operation.js";
import { Reads } from "./read.js";
import type { Scope } from "./scope.js";
import type { Store } from "./store.js";
import { at, byOrder } from "./value.js";
import { pause } from "./wait.js";
import { Writes } from "./write.js";

const DEFAULT_PAGE = 25;

/** Which page of a list is wanted: the first unless a cursor says where the last one ended. */
export interface PageRequest {
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

/** One call of an operation. */
export class Call {
  private readonly position: Position;
  private readonly reads: Reads;
  private readonly writes: Writes;

  constructor(
    store: Store,
    private readonly operation: Operation,
    private readonly scope: Scope,
    private readonly page: PageRequest,
  ) {
    this.position = page.cursor === undefined ? {} : decodeCursor(page.cursor, operation.pattern);
    this.reads = new Reads(store, operation, scope, page.limit, this.position);
    this.writes = new Writes(store, operation.pattern, scope);
  }

  async run(): Promise<Answer> {
    const { steps, retry, pattern } = this.operation;
    let retries = 0;
    for (let at = 0; at < steps.length; ) {
      const step = steps[at] as Step;
      this.scope.reads.length = at;
      if (step.kind === "Write") {
        const failure = await this.writes.write(step);
        if (failure !== undefined) {
          if (failure.race && retry !== undefined && retries < retry.attempts) {
            retries += 1;
            await pause(retries);
            // Before what is repeated is reached, nothing is done yet.
            at = at < retry.fromStep - 1 ? 0 : retry.fromStep - 1;
            continue;
          }
          const lostRace = failure.race && failure.conditions.length === 0;
          throw new ConditionFailedError(pattern, failure.conditions, lostRace);
        }
        this.scope.reads.push([]);
      } else {
        const items = await this.reads.read(step, at + 1);
        this.scope.reads.push(items);
        // A Query that looks for a single item stands for a Get.
        const looksForOne = step.kind === "Get"
          ? step.mayBeAbsent !== true
          : step.kind === "Query" && step.limit === 1 && step.paged !== true && step.count !== true;
        if (looksForOne && items.length === 0 && at + 1 < steps.length) {
          if (this.operation.shape !== "nothing") break;
          // What an earlier step found has gone meanwhile: somebody else was faster.
          if (retry !== undefined && at >= retry.fromStep && retries < retry.attempts) {
            retries += 1;
            await pause(retries);
            at = retry.fromStep - 1;
            continue;
          }
          throw new ItemNotFoundError(pattern);
        }
      }
      at += 1;
    }
    return this.answer();
  }

  private answer(): Answer {
    const { answerFrom, shape, counter, clientSort, order, first: most, pattern } = this.operation;
    let items = this.scope.reads[answerFrom - 1] ?? [];
    let next = this.reads.next;
    if (clientSort === true) items = [...items].sort((a, b) => byOrder(a, b, order ?? []));
    if (shape === "page" && clientSort === true) {
      const start = this.position.offset ?? 0;
      const end = start + (this.page.limit ?? DEFAULT_PAGE);
      next = end < items.length ? { offset: end } : undefined;
      items = items.slice(start, end);
    }
    if (most !== undefined) items = items.slice(0, most);
    let count = this.reads.count;
    if (counter !== undefined) {
      const [first] = items;
      count = Number((first === undefined ? undefined : at(first, counter)?.N) ?? "0");
    }
    return {
      items: shape === "single" ? items.slice(0, 1) : items,
      count,
      generated: this.scope.generated,
      written: this.writes.written,
      ...(shape === "page" && next !== undefined ? { nextCursor: encodeCursor(pattern, next) } : {}),
    };
  }
}
