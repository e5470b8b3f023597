/** What a call writes: single items, transactions and batches, and which condition of the pattern failed. */

import {
  BatchWriteItemCommand,
  DeleteItemCommand,
  PutItemCommand,
  type TransactWriteItem,
  TransactWriteItemsCommand,
  UpdateItemCommand,
  type WriteRequest,
} from "@aws-sdk/client-dynamodb";
import { UnprocessedError } from "./errors.js";
import type { Action, Clause, Item, Put, Update, Write } from "./operation.js";
import { type Expressions, primaryKey, type Scope } from "./scope.js";
import type { Store } from "./store.js";
import { alias, keyText, put } from "./value.js";
import { BATCH_ATTEMPTS, pause } from "./wait.js";

interface Ready {
  readonly transact: TransactWriteItem;
  readonly failsAs: string | undefined;
  readonly onReads: boolean;
  /** The aliases of what an update adds that is repeated for every item. */
  readonly adds: readonly string[] | undefined;
}

/** Which conditions of the pattern failed; a race where what failed was read by an earlier step. */
export interface Failure {
  readonly conditions: string[];
  readonly race: boolean;
}

/** The writes of one call. */
export class Writes {
  /** The first item of each type that was put. */
  readonly written: Record<string, Item> = {};

  constructor(
    private readonly store: Store,
    private readonly pattern: string,
    private readonly scope: Scope,
  ) {}

  /** Writes what a step says; what failed, if a condition did. */
  async write(step: Write): Promise<Failure | undefined> {
    switch (step.mode) {
      case "single":
        for (const one of this.ready(step.actions)) {
          const failure = await this.writeOne(one);
          if (failure !== undefined) return failure;
        }
        return undefined;
      case "transaction": {
        for (const portion of this.transactions(step.actions)) {
          const failure = await this.transact(portion);
          if (failure !== undefined) return failure;
        }
        return undefined;
      }
      case "batch":
        for (const portion of chunks(this.ready(step.actions), 25)) await this.writeBatch(portion);
        return undefined;
    }
  }

  /** The transactions that actions take: where all are repeated, what belongs to one item is in one of them. */
  private transactions(actions: readonly Action[]): Ready[][] {
    const each = actions[0]?.each;
    if (each === undefined || actions.some((action) => action.each !== each)) {
      return chunks(met(this.ready(actions)), TRANSACTION_ACTIONS);
    }
    const portions: Ready[][] = [];
    for (const at of (this.scope.reads[each - 1] ?? []).keys()) {
      const all = this.forItem(each, at, () => actions.flatMap((action) => this.one(action)));
      const last = portions.at(-1);
      const added = all.filter((one) => !last?.some((other) => isRepeated(one, other))).length;
      if (last === undefined || last.length + added > TRANSACTION_ACTIONS) portions.push(met(all));
      else all.forEach((one) => join(last, one));
    }
    return portions;
  }

  private forItem<T>(step: number, at: number, make: () => T): T {
    this.scope.atHand = { step, at };
    try {
      return make();
    } finally {
      this.scope.atHand = undefined;
    }
  }

  private async writeOne(one: Ready): Promise<Failure | undefined> {
    const { Put, Update, Delete } = one.transact;
    try {
      if (Put !== undefined) await this.store.dynamodb.send(new PutItemCommand(Put));
      else if (Update !== undefined) await this.store.dynamodb.send(new UpdateItemCommand(Update));
      else if (Delete !== undefined) await this.store.dynamodb.send(new DeleteItemCommand(Delete));
      // A check can't stand alone: it is a transaction of one.
      else return await this.transact([one]);
      return undefined;
    } catch (error) {
      if (error instanceof Error && error.name === "ConditionalCheckFailedException") return failed([one]);
      throw error;
    }
  }

  private async transact(ready: readonly Ready[]): Promise<Failure | undefined> {
    try {
      const TransactItems = ready.map((one) => one.transact);
      await this.store.dynamodb.send(new TransactWriteItemsCommand({ TransactItems }));
      return undefined;
    } catch (error) {
      if (!(error instanceof Error) || error.name !== "TransactionCanceledException") throw error;
      const reasons = (error as { CancellationReasons?: { Code?: string }[] }).CancellationReasons ?? [];
      const of = (code: string): Ready[] => ready.filter((_, at) => reasons[at]?.Code === code);
      const refused = of("ConditionalCheckFailed");
      if (refused.length > 0) return failed(refused);
      if (of("TransactionConflict").length > 0 || reasons.length === 0) return { conditions: [], race: true };
      throw error;
    }
  }

  private async writeBatch(ready: readonly Ready[]): Promise<void> {
    let rest: Record<string, WriteRequest[]> = {};
    for (const { transact } of ready) {
      const table = transact.Put?.TableName ?? transact.Delete?.TableName ?? "";
      const request: WriteRequest = transact.Put === undefined
        ? { DeleteRequest: { Key: transact.Delete?.Key } }
        : { PutRequest: { Item: transact.Put.Item } };
      rest[table] = [...(rest[table] ?? []), request];
    }
    for (let attempt = 0; Object.keys(rest).length > 0; attempt += 1) {
      if (attempt === BATCH_ATTEMPTS) throw new UnprocessedError(`${this.pattern}: writes were not processed`);
      if (attempt > 0) await pause(attempt);
      const answer = await this.store.dynamodb.send(new BatchWriteItemCommand({ RequestItems: rest }));
      rest = answer.UnprocessedItems ?? {};
    }
  }

  /** The actions, one per item where they are repeated, ready to be sent. */
  private ready(actions: readonly Action[]): Ready[] {
    const ready: Ready[] = [];
    for (const action of actions) {
      const { each } = action;
      if (each === undefined) {
        ready.push(...this.one(action));
        continue;
      }
      for (const at of (this.scope.reads[each - 1] ?? []).keys()) {
        ready.push(...this.forItem(each, at, () => this.one(action)));
      }
    }
    return ready;
  }

  private one(action: Action): Ready[] {
    const needed = action.kind === "Update" ? [] : action.when ?? [];
    if (needed.some((value) => value(this.scope) === undefined)) return [];
    const expressions = this.store.expressions(this.scope);
    const TableName = this.store.tableName(action.table);
    const wrap = (transact: TransactWriteItem, adds?: readonly string[]): Ready[] => [
      { transact, failsAs: action.failsAs, onReads: action.onReads ?? false, adds },
    ];
    if (action.kind === "Put") {
      const Item = this.putItem(action);
      this.written[action.item] ??= Item;
      const condition = expressions.all(action.condition);
      const conditioned = condition === undefined ? {} : { ConditionExpression: condition };
      return wrap({ Put: { TableName, Item, ...conditioned, ...expressions.request() } });
    }
    const Key = primaryKey(action.key, this.scope, this.pattern);
    const change = action.kind === "Update" ? this.change(action, expressions) : undefined;
    const condition = expressions.all(action.condition);
    const conditioned = condition === undefined ? {} : { ConditionExpression: condition };
    if (action.kind === "Delete") return wrap({ Delete: { TableName, Key, ...conditioned, ...expressions.request() } });
    if (change !== undefined) {
      const { text: UpdateExpression, adds } = change;
      const Update = { TableName, Key, UpdateExpression, ...conditioned, ...expressions.request() };
      return wrap({ Update }, action.each === undefined ? undefined : adds);
    }
    if (condition === undefined) return [];
    return wrap({
      ConditionCheck: { TableName, Key, ConditionExpression: condition, ...expressions.request() },
    });
  }

  private putItem(action: Put): Item {
    const from = action.basedOn;
    const index = this.scope.atHand !== undefined && this.scope.atHand.step === from ? this.scope.atHand.at : 0;
    const item: Item = { ...(from === undefined ? {} : this.scope.reads[from - 1]?.[index]) };
    for (const [path, value] of action.values) {
      const it = value(this.scope);
      if (it !== undefined) put(item, path, Array.isArray(it) ? { L: it } : it);
    }
    return this.store.whole(action.item, item);
  }

  /** The update expression, and the aliases of what it adds; undefined where nothing is left of it. */
  private change(action: Update, expressions: Expressions): { text: string; adds: string[] } | undefined {
    const texts = (clauses: readonly Clause[] | undefined): string[] =>
      (clauses ?? []).map((clause) => expressions.clause(clause)).filter((it) => it !== undefined);
    const set = texts(action.set);
    const remove = (action.remove ?? []).map((path) => expressions.aliased(path));
    for (const entry of action.entries ?? []) {
      const path = alias(entry.attribute);
      if (entry.value !== undefined && entry.when !== undefined) {
        const guard = entry.when(this.scope);
        // An input that was left out leaves the entry as it is.
        if (guard === undefined && entry.onlyIfGiven === true) continue;
        const there = guard !== undefined && !Array.isArray(guard);
        const wanted = there && (entry.equals === undefined || keyText(guard) === entry.equals);
        if (!wanted) {
          remove.push(expressions.aliased(path));
          continue;
        }
      }
      if (entry.value === undefined) {
        remove.push(expressions.aliased(path));
        continue;
      }
      const assigned = expressions.clause({ text: `${path} = {0}`, values: [entry.value] });
      if (assigned !== undefined) set.push(assigned);
    }
    const add = texts(action.add);
    const removed = texts(action.delete);
    const parts = [
      set.length > 0 ? `SET ${set.join(", ")}` : "",
      remove.length > 0 ? `REMOVE ${remove.join(", ")}` : "",
      add.length > 0 ? `ADD ${add.join(", ")}` : "",
      removed.length > 0 ? `DELETE ${removed.join(", ")}` : "",
    ].filter((part) => part !== "");
    if (parts.length === 0) return undefined;
    return { text: parts.join(" "), adds: add.flatMap((text) => text.match(/:v\d+/g) ?? []) };
  }
}

/** The actions of which a transaction takes no more. */
const TRANSACTION_ACTIONS = 100;

function chunks(ready: readonly Ready[], size: number): Ready[][] {
  const all: Ready[][] = [];
  for (let at = 0; at < ready.length; at += size) all.push(ready.slice(at, at + size));
  return all;
}

/** One action per item, as a transaction wants it. */
function met(ready: readonly Ready[]): Ready[] {
  const all: Ready[] = [];
  ready.forEach((one) => join(all, one));
  return all;
}

/**
 * Adds an action to a transaction. A Delete and a Put that meet on one item are that Put under the Delete's condition:
 * they meet where a unique value, or a part of a key, is replaced by itself. Repeated updates are one that adds all.
 */
function join(all: Ready[], one: Ready): void {
  const same = all.findIndex((other) => isRepeated(one, other));
  const earlier = all[same];
  if (earlier !== undefined) {
    all[same] = together(earlier, one);
    return;
  }
  const { Put } = one.transact;
  const at = all.findIndex(({ transact: { Delete } }) =>
    Put !== undefined && Delete !== undefined && Delete.TableName === Put.TableName
    && Object.entries(Delete.Key ?? {}).every(([name, value]) => keyText(Put.Item?.[name]) === keyText(value)));
  const [gone] = at < 0 ? [] : all.splice(at, 1);
  if (gone === undefined || Put === undefined) {
    all.push(one);
    return;
  }
  const { Key: _, ...conditioned } = gone.transact.Delete ?? {};
  all.push({ ...gone, transact: { Put: { ...conditioned, TableName: Put.TableName, Item: Put.Item } } });
}

/** Whether two are the same update of the same item, repeated. */
function isRepeated(one: Ready, other: Ready): boolean {
  const [mine, theirs] = [one.transact.Update, other.transact.Update];
  return one.adds !== undefined && other.adds !== undefined && mine?.TableName === theirs?.TableName
    && Object.entries(mine?.Key ?? {}).every(([name, value]) => keyText(theirs?.Key?.[name]) === keyText(value));
}

/** An update that adds what two of them add. */
function together(one: Ready, other: Ready): Ready {
  const [mine, theirs] = [one.transact.Update, other.transact.Update];
  if (mine === undefined) return one;
  const values: Item = { ...mine.ExpressionAttributeValues };
  for (const alias of one.adds ?? []) {
    const number = (value: Item | undefined): number => Number(value?.[alias]?.N ?? "0");
    values[alias] = { N: String(number(values) + number(theirs?.ExpressionAttributeValues)) };
  }
  return { ...one, transact: { Update: { ...mine, ExpressionAttributeValues: values } } };
}

function failed(actions: readonly Ready[]): Failure {
  return {
    conditions: actions.flatMap((one) => one.failsAs ?? []),
    // What an earlier step read may have changed since, unless a condition of the pattern itself failed.
    race: actions.some((one) => one.failsAs === undefined || one.onReads),
  };
}
