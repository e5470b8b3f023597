/** What a call reads: single items, batches, and Queries whose pages are followed and whose shards are merged. */

import {
  type AttributeValue,
  BatchGetItemCommand,
  GetItemCommand,
  QueryCommand,
  type QueryCommandInput,
  type QueryCommandOutput,
  ScanCommand,
} from "@aws-sdk/client-dynamodb";
import type { Position, Progress } from "./cursor.js";
import { CursorError, UnprocessedError } from "./errors.js";
import type { BatchGet, Get, Item, Operation, Order, Query, Scan, Scatter } from "./operation.js";
import { primaryKey, type Scope } from "./scope.js";
import type { Store } from "./store.js";
import { alias, byOrder, keyText } from "./value.js";
import { BATCH_ATTEMPTS, pause } from "./wait.js";

interface Found {
  items: Item[];
  count: number;
  last: Item | undefined;
}

/** Sends a Query or a Scan for what is still wanted of it. */
type Send = (
  rest: Pick<QueryCommandInput, "Limit" | "ExclusiveStartKey">,
) => Promise<Pick<QueryCommandOutput, "Items" | "Count" | "LastEvaluatedKey">>;

/** The reads of one call. */
export class Reads {
  /** How many items a step that counts has found. */
  count = 0;
  /** Where the next page begins; undefined after the last one. */
  next: Position | undefined;

  constructor(
    private readonly store: Store,
    private readonly operation: Operation,
    private readonly scope: Scope,
    private readonly limit: number | undefined,
    private readonly position: Position,
  ) {}

  /** The items of one step. */
  async read(step: Get | Query | BatchGet | Scan, number: number): Promise<Item[]> {
    switch (step.kind) {
      case "Get":
        return this.get(step);
      case "BatchGet":
        return this.batchGet(step);
      case "Scan":
        return this.scan(step, number);
      case "Query":
        return step.scatter === undefined ? this.query(step, number) : this.scattered(step, step.scatter, number);
    }
  }

  private async get(step: Get): Promise<Item[]> {
    const expressions = this.store.expressions(this.scope);
    const projection = expressions.projection(step.projection);
    const answer = await this.store.dynamodb.send(
      new GetItemCommand({
        TableName: this.store.tableName(step.table),
        Key: primaryKey(step.key, this.scope, this.operation.pattern),
        ConsistentRead: step.consistent ?? false,
        ...(projection === undefined ? {} : { ProjectionExpression: projection }),
        ...expressions.request(),
      }),
    );
    return answer.Item === undefined ? [] : [answer.Item];
  }

  /** Whether the step gives the answer, or the index entries that a BatchGet turns into it. */
  private leads(number: number): boolean {
    const answer = this.operation.steps[this.operation.answerFrom - 1];
    return this.operation.answerFrom === number || (answer?.kind === "BatchGet" && answer.ofStep === number);
  }

  private most(step: Query | Scan, number: number): number | undefined {
    if (this.operation.clientSort === true && this.leads(number)) return undefined;
    return step.paged === true ? (this.limit ?? step.limit) : step.limit;
  }

  private async query(step: Query, number: number): Promise<Item[]> {
    const paged = step.paged === true && this.leads(number);
    const found = await this.pages(step, this.scope, paged ? this.position.after : undefined, this.most(step, number));
    if (step.count === true) this.count = found.count;
    if (paged && found.last !== undefined) this.next = { after: found.last };
    return found.items;
  }

  /** One Query in one partition. */
  private async pages(step: Query, scope: Scope, start: Item | undefined, limit: number | undefined): Promise<Found> {
    const partition = primaryKey(step.partition, scope, this.operation.pattern);
    if (start !== undefined) this.checkStart(start, partition, step.table, step.index);
    const expressions = this.store.expressions(scope);
    const conditions = Object.entries(partition).map(
      ([attribute, value]) => `${expressions.aliased(alias(attribute))} = ${expressions.value(value)}`,
    );
    let open = true;
    for (const [attribute, value] of step.sort ?? []) {
      const it: AttributeValue | AttributeValue[] | undefined = open ? value(scope) : undefined;
      open = it !== undefined && !Array.isArray(it);
      if (it !== undefined && !Array.isArray(it)) {
        conditions.push(`${expressions.aliased(alias(attribute))} = ${expressions.value(it)}`);
      }
    }
    const range = open && step.range !== undefined ? expressions.clause(step.range) : undefined;
    if (range !== undefined) conditions.push(range);
    const filter = expressions.all(step.filter);
    const projection = step.count === true ? undefined : expressions.projection(step.projection);
    // DynamoDB counts what it reads before it filters: with a limit of one it would look at one item after the other.
    const single = filter !== undefined && step.limit === 1 && step.paged !== true;
    const found = await this.follow(start, single ? undefined : limit, (rest) =>
      this.store.dynamodb.send(
        new QueryCommand({
          TableName: this.store.tableName(step.table),
          KeyConditionExpression: conditions.join(" AND "),
          ScanIndexForward: step.backward !== true,
          ConsistentRead: step.consistent ?? false,
          ...(step.index === undefined ? {} : { IndexName: step.index }),
          ...(filter === undefined ? {} : { FilterExpression: filter }),
          ...(projection === undefined ? {} : { ProjectionExpression: projection }),
          ...(step.count === true ? { Select: "COUNT" as const } : {}),
          ...rest,
          ...expressions.request(),
        }),
      ),
    );
    if (single) found.items.splice(1);
    return found;
  }

  /** Sends a request, page after page, until there are enough items or no more. */
  private async follow(start: Item | undefined, limit: number | undefined, send: Send): Promise<Found> {
    const found: Found = { items: [], count: 0, last: start };
    do {
      const answer = await send({
        ...(limit === undefined ? {} : { Limit: limit - found.count }),
        ...(found.last === undefined ? {} : { ExclusiveStartKey: found.last }),
      });
      found.items.push(...(answer.Items ?? []));
      found.count += answer.Count ?? 0;
      found.last = answer.LastEvaluatedKey;
    } while (found.last !== undefined && (limit === undefined || found.count < limit));
    return found;
  }

  /** A cursor's key must lie in the partition that the request reads, and be a key of the table or index. */
  private checkStart(start: Item, partition: Item, table: string, index: string | undefined): void {
    const names = new Set([...this.store.tableKey(table), ...this.store.indexKey(table, index)]);
    const own = Object.keys(start);
    const whole = own.length === names.size && own.every((name) => names.has(name));
    const inside = Object.entries(partition).every(
      ([attribute, value]) => start[attribute] !== undefined && keyText(start[attribute]) === keyText(value),
    );
    if (!whole || !inside) throw new CursorError(`${this.operation.pattern}: the cursor belongs to another partition`);
  }

  private async scattered(step: Query, scatter: Scatter, number: number): Promise<Item[]> {
    const limit = this.most(step, number);
    const paged = step.paged === true && this.leads(number);
    const rows = rowsOf(scatter);
    const progress: Progress[] = paged && this.position.shards !== undefined
      ? [...this.position.shards]
      : rows.map(() => "start" as const);
    if (progress.length !== rows.length) {
      throw new CursorError(`${this.operation.pattern}: the cursor was made for another number of shards`);
    }
    const shard = (at: number, most: number | undefined): Promise<Found> => {
      const start = progress[at];
      const scope = this.scope.forScattered(rows[at] ?? new Map());
      return this.pages(step, scope, typeof start === "string" ? undefined : start, most);
    };
    const found: (Found | undefined)[] = rows.map(() => undefined);
    const open = rows.map((_, at) => at).filter((at) => progress[at] !== "done");
    if (scatter.oneAfterAnother === true) {
      let have = 0;
      for (const at of open) {
        if (limit !== undefined && have >= limit) break;
        const one = await shard(at, limit === undefined ? undefined : limit - have);
        have += one.count;
        found[at] = one;
      }
    } else {
      const all = await Promise.all(open.map((at) => shard(at, limit)));
      for (const [index, at] of open.entries()) found[at] = all[index];
    }
    if (step.count === true) {
      this.count = found.reduce((total, one) => total + (one?.count ?? 0), 0);
      return [];
    }
    const { items, taken } = merge(found, this.mergeOrder(step), limit);
    for (const [at, one] of found.entries()) {
      const count = taken[at] ?? 0;
      if (one === undefined) continue;
      if (count === one.items.length) progress[at] = one.last ?? "done";
      else if (count > 0) progress[at] = this.startAfter(step, one.items[count - 1] as Item);
    }
    if (paged && progress.some((it) => it !== "done")) this.next = { shards: progress };
    return items;
  }

  /** The promised order, then that of the sort key: what an index does not project of the first is in the second. */
  private mergeOrder(step: Query): Order[] {
    const promised = this.operation.order ?? [];
    const key = step.index === undefined ? this.store.tableKey(step.table) : this.store.indexKey(step.table, step.index);
    const sort = key.filter((name) => !step.partition.some(([attribute]) => attribute === name));
    const descending = step.backward === true;
    return promised.length === 0 ? [] : [...promised, ...sort.map((attribute) => ({ attribute, descending }))];
  }

  /** The key after which a Query goes on, from an item that it returned. */
  private startAfter(step: Query, item: Item): Item {
    const names = [...this.store.tableKey(step.table), ...this.store.indexKey(step.table, step.index)];
    return Object.fromEntries(
      names.flatMap((name) => {
        const value = item[name];
        return value === undefined ? [] : [[name, value] as const];
      }),
    );
  }

  private async batchGet(step: BatchGet): Promise<Item[]> {
    const names = this.store.tableKey(step.table);
    const wanted = this.wantedKeys(step, names);
    const identity = (item: Item): string => JSON.stringify(names.map((name) => keyText(item[name])));
    const distinct = [...new Map(wanted.map((key) => [identity(key), key])).values()];
    const table = this.store.tableName(step.table);
    const found = new Map<string, Item>();
    for (let at = 0; at < distinct.length; at += 100) {
      const expressions = this.store.expressions(this.scope);
      // Answers come in any order: only their keys tell which is which.
      const keyed = step.projection === undefined
        ? undefined
        : [...new Set([...step.projection, ...names.map((name) => alias(name))])];
      const projection = expressions.projection(keyed);
      let rest: Item[] = distinct.slice(at, at + 100);
      for (let attempt = 0; rest.length > 0; attempt += 1) {
        if (attempt === BATCH_ATTEMPTS) throw new UnprocessedError(`${this.operation.pattern}: keys were not processed`);
        if (attempt > 0) await pause(attempt);
        const answer = await this.store.dynamodb.send(
          new BatchGetItemCommand({
            RequestItems: {
              [table]: {
                Keys: rest,
                ConsistentRead: step.consistent ?? false,
                ...(projection === undefined ? {} : { ProjectionExpression: projection }),
                ...expressions.request(),
              },
            },
          }),
        );
        for (const item of answer.Responses?.[table] ?? []) found.set(identity(item), item);
        rest = answer.UnprocessedKeys?.[table]?.Keys ?? [];
      }
    }
    return wanted.map((key) => found.get(identity(key))).filter((item) => item !== undefined);
  }

  private wantedKeys(step: BatchGet, names: readonly string[]): Item[] {
    const { ofStep, each } = step;
    if (ofStep !== undefined && each !== undefined) {
      return (this.scope.reads[ofStep - 1] ?? []).map((_, at) => {
        this.scope.atHand = { step: ofStep, at };
        try {
          return primaryKey(each, this.scope, this.operation.pattern);
        } finally {
          this.scope.atHand = undefined;
        }
      });
    }
    if (step.ofStep !== undefined) {
      return (this.scope.reads[step.ofStep - 1] ?? []).map((entry) =>
        Object.fromEntries(names.map((name) => [name, entry[name] as AttributeValue])),
      );
    }
    const lengths = Object.values(this.scope.inputs).map((value) => (Array.isArray(value) ? value.length : 0));
    return Array.from({ length: Math.max(0, ...lengths) }, (_, at) => {
      this.scope.element = at;
      try {
        return primaryKey(step.each ?? [], this.scope, this.operation.pattern);
      } finally {
        this.scope.element = undefined;
      }
    });
  }

  private async scan(step: Scan, number: number): Promise<Item[]> {
    const limit = this.most(step, number);
    const paged = step.paged === true && this.leads(number);
    const expressions = this.store.expressions(this.scope);
    const filter = expressions.all(step.filter);
    const found = await this.follow(paged ? this.position.after : undefined, limit, (rest) =>
      this.store.dynamodb.send(
        new ScanCommand({
          TableName: this.store.tableName(step.table),
          ...(step.index === undefined ? {} : { IndexName: step.index }),
          ...(filter === undefined ? {} : { FilterExpression: filter }),
          ...(step.count === true ? { Select: "COUNT" as const } : {}),
          ...rest,
          ...expressions.request(),
        }),
      ),
    );
    if (step.count === true) this.count = found.count;
    if (paged && found.last !== undefined) this.next = { after: found.last };
    return found.items;
  }
}

/** The values of the placeholders in each of the Queries. */
function rowsOf(scatter: Scatter): ReadonlyMap<string, string>[] {
  const width = Math.max(1, scatter.placeholders.length);
  const rows: ReadonlyMap<string, string>[] = [];
  for (let at = 0; at < scatter.values.length; at += width) {
    rows.push(new Map(scatter.placeholders.map((name, column) => [name, scatter.values[at + column] ?? ""])));
  }
  return rows;
}

/** Merges what shards found in the promised order; the order of the shards breaks ties, so that pages are stable. */
function merge(
  found: readonly (Found | undefined)[],
  order: readonly Order[],
  limit: number | undefined,
): { items: Item[]; taken: number[] } {
  const taken = found.map(() => 0);
  const items: Item[] = [];
  while (limit === undefined || items.length < limit) {
    let best: { at: number; item: Item } | undefined;
    for (const [at, shard] of found.entries()) {
      const item = shard?.items[taken[at] ?? 0];
      if (item !== undefined && (best === undefined || byOrder(item, best.item, order) < 0)) best = { at, item };
    }
    if (best === undefined) break;
    items.push(best.item);
    taken[best.at] = (taken[best.at] ?? 0) + 1;
  }
  return { items, taken };
}
