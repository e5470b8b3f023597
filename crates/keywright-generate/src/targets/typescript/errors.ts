/** What can go wrong. */



/** A condition of the pattern did not hold, so nothing was written. */
export class ConditionFailedError extends Error {
  override readonly name = "ConditionFailedError";
  constructor(
    /** The pattern's id. */
    readonly pattern: string,
    /** The pattern's conditions that failed, in the author's words. */
    readonly conditions: readonly string[],
    /** Somebody else was faster, as often as it was tried. */
    readonly lostRace: boolean,
  ) {
    super(`${pattern}: ${lostRace ? "another writer was faster" : conditions.join("; ") || "a condition failed"}`);
  }
}

/** The item that a write starts from is not there, so nothing was written. */
export class ItemNotFoundError extends Error {
  override readonly name = "ItemNotFoundError";
  constructor(
    /** The pattern's id. */
    readonly pattern: string,
  ) {
    super(`${pattern}: there is no such item`);
  }
}

/** A cursor that was not made by this method for these inputs. */
export class CursorError extends Error {
  override readonly name = "CursorError";
}

/** An item that is not what its type says. */
export class MalformedItemError extends Error {
  override readonly name = "MalformedItemError";
}

/** A batch of which DynamoDB left something over, as often as it was sent. */
export class UnprocessedError extends Error {
  override readonly name = "UnprocessedError";
}
