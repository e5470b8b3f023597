/**
 * Runs operations against DynamoDB: builds keys and expressions, follows pages, merges shards, sends again what a batch
 * left over, and turns failed conditions into errors that say which condition of the pattern failed.
 */

import {
  type AttributeValue,
  BatchGetItemCommand,
  BatchWriteItemCommand,
  DeleteItemCommand,
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  ScanCommand,
  type TransactWriteItem,
  TransactWriteItemsCommand,
  UpdateItemCommand,
  type WriteRequest,
} from "@aws-sdk/client-dynamodb";
import { decodeCursor, encodeCursor, type Position, type Progress } from "./cursor.js";
import {
  ConditionFailedError,
  CursorError,
  ItemNotFoundError,
  MalformedItemError,
  UnprocessedError,
} from "./errors.js";
import { buildKey, newKsuid, newUlid, newUuid } from "./key.js";
import type {
  Action,
  Answer,
  BatchGet,
  Clause,
  Get,
  Inputs,
  Item,
  Made,
  Operation,
  Order,
  Pair,
  Put,
  Query,
  Scan,
  Scatter,
  Schema,
  Step,
  Update,
  Write,
} from "./operation.js";
import { Expressions, Scope } from "./scope.js";
import { at, byOrder, hex, keyText, put } from "./value.js";

export * from "./errors.js";
export * from "./operation.js";
export * from "./scope.js";
export * from "./value.js";

interface Found {
  items: Item[];
  count: number;
  last: Item | undefined;
}

interface Ready {
  readonly transact: TransactWriteItem;
  readonly failsAs: string | undefined;
  readonly onReads: boolean;
}

interface Failure {
  readonly conditions: string[];
  readonly race: boolean;
}

const BATCH_ATTEMPTS = 8;

const DEFAULT_PAGE = 25;

/** What a store may be told. */
export interface StoreOptions {
  /** The names of the tables where they are deployed, by their names in the design. */
  readonly tableNames?: Readonly<Record<string, string>>;
  /** Milliseconds since 1970; the system's clock unless given. */
  readonly clock?: () => number;
  /** Makes up a value of an operation; the clock and the system's randomness do unless it is given. */
  readonly make?: (made: Made) => AttributeValue;
}

/** DynamoDB, as the repositories use it. */
export class Store {
  private readonly odd: ReadonlyMap<string, string>;

  constructor(
    private readonly client: DynamoDBClient,
    private readonly schema: Schema,
    private readonly options: StoreOptions = {},
  ) {
    this.odd = new Map(schema.aliases ?? []);
  }

  /** Runs an operation. */
  async run(
    operation: Operation,
    inputs: Inputs,
    page: { limit?: number | undefined; cursor?: string | undefined } = {},
  ): Promise<Answer> {
    if (page.limit !== undefined && (!Number.isInteger(page.limit) || page.limit < 1)) {
      throw new RangeError(`${operation.pattern}: the limit must be a whole number from 1`);
    }
    return new Call(this, operation, new Scope(inputs, this.make(operation.made ?? [])), page).run();
  }

  private make(wanted: readonly Made[]): Item {
    const millis = (this.options.clock ?? Date.now)();
    const now = new Date(millis).toISOString();
    const make = (made: Made): AttributeValue => {
      switch (made.how) {
        case "ulid":
          return { S: newUlid(millis) };
        case "uuid":
          return { S: newUuid(millis) };
        case "ksuid":
          return { S: newKsuid(millis) };
        case "now":
          return { S: now };
        case "today":
          return { S: now.slice(0, 10) };
        case "nowMillis":
          return { N: String(millis) };
        case "expiry":
          return { N: String(Math.floor(millis / 1000) + (made.days ?? 0) * 86_400) };
      }
    };
    return Object.fromEntries(wanted.map((made) => [made.name, (this.options.make ?? make)(made)]));
  }

  /** @internal */
  get dynamodb(): DynamoDBClient {
    return this.client;
  }

  /** @internal */
  expressions(scope: Scope): Expressions {
    return new Expressions(scope, this.odd);
  }

  /** @internal */
  tableName(table: string): string {
    return this.options.tableNames?.[table] ?? table;
  }

  /** @internal */
  tableKey(table: string): readonly string[] {
    return this.schema.tables.find((it) => it.name === table)?.key ?? [];
  }

  /** @internal */
  indexKey(table: string, index: string | undefined): readonly string[] {
    return this.schema.indexes?.find((it) => it.table === table && it.name === index)?.key ?? [];
  }

  /** The whole item of a type: its type and its keys follow from its attributes. @internal */
  whole(name: string, attributes: Item): Item {
    const type = this.schema.items.find((it) => it.name === name);
    if (type === undefined) throw new MalformedItemError(`there is no item type ${name}`);
    const item = { ...attributes };
    if (this.schema.typeAttribute !== undefined) item[this.schema.typeAttribute] = { S: name };
    const templated = new Set((type.keys ?? []).map((it) => it.attribute));
    for (const attribute of templated) delete item[attribute];
    const keys: Item = {};
    for (const it of type.keys ?? []) {
      const guard = it.when === undefined ? undefined : keyText(at(item, it.when));
      const there = it.when === undefined || at(item, it.when) !== undefined;
      if (!there || (it.equals !== undefined && guard !== it.equals)) continue;
      const built = buildKey(it.template, (attribute) => keyText(at(item, attribute)));
      if (built !== undefined) keys[it.attribute] = { S: built };
    }
    // An index key is whole or absent: half of one would keep a stale attribute on the item.
    for (const index of this.schema.indexes ?? []) {
      const own = index.table === type.table ? index.key.filter((attribute) => templated.has(attribute)) : [];
      if (own.some((attribute) => keys[attribute] === undefined)) {
        for (const attribute of own) delete keys[attribute];
      }
    }
    for (const attribute of this.tableKey(type.table)) {
      if (keys[attribute] === undefined && item[attribute] === undefined) {
        throw new MalformedItemError(`${name}: the attributes of its key ${attribute} are not all there`);
      }
    }
    return { ...item, ...keys };
  }
}

/** One call of an operation. */
class Call {
  private count = 0;
  private next: Position | undefined;
  private readonly written: Record<string, Item> = {};
  private readonly position: Position;

  constructor(
    private readonly store: Store,
    private readonly operation: Operation,
    private readonly scope: Scope,
    private readonly page: { limit?: number | undefined; cursor?: string | undefined },
  ) {
    this.position = page.cursor === undefined ? {} : decodeCursor(page.cursor, operation.pattern);
  }

  async run(): Promise<Answer> {
    const { steps, retry, pattern } = this.operation;
    let retries = 0;
    for (let at = 0; at < steps.length; ) {
      const step = steps[at] as Step;
      this.scope.reads.length = at;
      if (step.kind === "Write") {
        const failure = await this.write(step);
        if (failure !== undefined) {
          if (failure.race && retry !== undefined && retries < retry.attempts) {
            retries += 1;
            await pause(retries);
            at = retry.fromStep - 1;
            continue;
          }
          const lostRace = failure.race && failure.conditions.length === 0;
          throw new ConditionFailedError(pattern, failure.conditions, lostRace);
        }
        this.scope.reads.push([]);
      } else {
        const items = await this.read(step, at + 1);
        this.scope.reads.push(items);
        // A Query that looks for a single item stands for a Get.
        const looksForOne = step.kind === "Get"
          ? step.mayBeAbsent !== true
          : step.kind === "Query" && step.limit === 1 && step.paged !== true && step.count !== true;
        if (looksForOne && items.length === 0 && at + 1 < steps.length) {
          if (this.operation.shape === "nothing") throw new ItemNotFoundError(pattern);
          break;
        }
      }
      at += 1;
    }
    return this.answer();
  }

  private answer(): Answer {
    const { answerFrom, shape, counter, clientSort, order, pattern } = this.operation;
    let items = this.scope.reads[answerFrom - 1] ?? [];
    let next = this.next;
    if (clientSort === true) items = [...items].sort((a, b) => byOrder(a, b, order ?? []));
    if (shape === "page" && clientSort === true) {
      const start = this.position.offset ?? 0;
      const end = start + (this.page.limit ?? DEFAULT_PAGE);
      next = end < items.length ? { offset: end } : undefined;
      items = items.slice(start, end);
    }
    let count = this.count;
    if (counter !== undefined) {
      const [first] = items;
      count = Number((first === undefined ? undefined : at(first, counter)?.N) ?? "0");
    }
    return {
      items: shape === "single" ? items.slice(0, 1) : items,
      count,
      generated: this.scope.generated,
      written: this.written,
      ...(shape === "page" && next !== undefined ? { nextCursor: encodeCursor(pattern, next) } : {}),
    };
  }

  private async read(step: Get | Query | BatchGet | Scan, number: number): Promise<Item[]> {
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

  private primaryKey(pairs: readonly Pair[], scope: Scope = this.scope): Item {
    const item: Item = {};
    for (const [attribute, value] of pairs) {
      const it = value(scope);
      if (it === undefined || Array.isArray(it)) {
        throw new MalformedItemError(`${this.operation.pattern}: there is no value for the key ${attribute}`);
      }
      item[attribute] = it;
    }
    return item;
  }

  private async get(step: Get): Promise<Item[]> {
    const expressions = this.store.expressions(this.scope);
    const projection = expressions.projection(step.projection);
    const answer = await this.store.dynamodb.send(
      new GetItemCommand({
        TableName: this.store.tableName(step.table),
        Key: this.primaryKey(step.key),
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

  private limit(step: Query | Scan, number: number): number | undefined {
    if (this.operation.clientSort === true && this.leads(number)) return undefined;
    return step.paged === true ? (this.page.limit ?? step.limit) : step.limit;
  }

  private async query(step: Query, number: number): Promise<Item[]> {
    const paged = step.paged === true && this.leads(number);
    const found = await this.pages(step, this.scope, paged ? this.position.after : undefined, this.limit(step, number));
    if (step.count === true) this.count = found.count;
    if (paged && found.last !== undefined) this.next = { after: found.last };
    return found.items;
  }

  /** One Query, page after page, until there are enough items or no more. */
  private async pages(step: Query, scope: Scope, start: Item | undefined, limit: number | undefined): Promise<Found> {
    const partition = this.primaryKey(step.partition, scope);
    if (start !== undefined) this.checkStart(start, partition, step.table, step.index);
    const expressions = this.store.expressions(scope);
    const conditions = Object.entries(partition).map(
      ([attribute, value]) => `${expressions.aliased(this.alias(attribute))} = ${expressions.value(value)}`,
    );
    let open = true;
    for (const [attribute, value] of step.sort ?? []) {
      const it: AttributeValue | AttributeValue[] | undefined = open ? value(scope) : undefined;
      open = it !== undefined && !Array.isArray(it);
      if (it !== undefined && !Array.isArray(it)) {
        conditions.push(`${expressions.aliased(this.alias(attribute))} = ${expressions.value(it)}`);
      }
    }
    const range = open && step.range !== undefined ? expressions.clause(step.range) : undefined;
    if (range !== undefined) conditions.push(range);
    const filter = expressions.all(step.filter);
    const projection = step.count === true ? undefined : expressions.projection(step.projection);
    const found: Found = { items: [], count: 0, last: start };
    do {
      const answer = await this.store.dynamodb.send(
        new QueryCommand({
          TableName: this.store.tableName(step.table),
          KeyConditionExpression: conditions.join(" AND "),
          ScanIndexForward: step.backward !== true,
          ConsistentRead: step.consistent ?? false,
          ...(step.index === undefined ? {} : { IndexName: step.index }),
          ...(filter === undefined ? {} : { FilterExpression: filter }),
          ...(projection === undefined ? {} : { ProjectionExpression: projection }),
          ...(step.count === true ? { Select: "COUNT" as const } : {}),
          ...(limit === undefined ? {} : { Limit: limit - found.count }),
          ...(found.last === undefined ? {} : { ExclusiveStartKey: found.last }),
          ...expressions.request(),
        }),
      );
      found.items.push(...(answer.Items ?? []));
      found.count += answer.Count ?? 0;
      found.last = answer.LastEvaluatedKey;
    } while (found.last !== undefined && (limit === undefined || found.count < limit));
    return found;
  }

  private alias(attribute: string): string {
    return /^[A-Za-z0-9_]+$/.test(attribute) ? `#${attribute}` : `#x_${hex(attribute)}`;
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
    const limit = this.limit(step, number);
    const paged = step.paged === true && this.leads(number);
    const progress: Progress[] = paged && this.position.shards !== undefined
      ? [...this.position.shards]
      : scatter.values.map(() => "start" as const);
    if (progress.length !== scatter.values.length) {
      throw new CursorError(`${this.operation.pattern}: the cursor was made for another number of shards`);
    }
    const shard = (at: number, most: number | undefined): Promise<Found> => {
      const start = progress[at];
      const scope = this.scope.forScattered(scatter.placeholder, scatter.values[at] ?? "");
      return this.pages(step, scope, typeof start === "string" ? undefined : start, most);
    };
    const found: (Found | undefined)[] = scatter.values.map(() => undefined);
    const open = scatter.values.map((_, at) => at).filter((at) => progress[at] !== "done");
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
    const { items, taken } = merge(found, this.operation.order ?? [], limit);
    for (const [at, one] of found.entries()) {
      const count = taken[at] ?? 0;
      if (one === undefined) continue;
      if (count === one.items.length) progress[at] = one.last ?? "done";
      else if (count > 0) progress[at] = this.startAfter(step, one.items[count - 1] as Item);
    }
    if (paged && progress.some((it) => it !== "done")) this.next = { shards: progress };
    return items;
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
        : [...new Set([...step.projection, ...names.map((name) => this.alias(name))])];
      const projection = expressions.projection(keyed);
      let rest: Item[] = distinct.slice(at, at + 100);
      for (let attempt = 0; rest.length > 0; attempt += 1) {
        if (attempt === BATCH_ATTEMPTS) throw new UnprocessedError(`${this.operation.pattern}: keys are left over`);
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
          return this.primaryKey(each);
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
        return this.primaryKey(step.each ?? []);
      } finally {
        this.scope.element = undefined;
      }
    });
  }

  private async scan(step: Scan, number: number): Promise<Item[]> {
    const limit = this.limit(step, number);
    const paged = step.paged === true && this.leads(number);
    const expressions = this.store.expressions(this.scope);
    const filter = expressions.all(step.filter);
    const found: Found = { items: [], count: 0, last: paged ? this.position.after : undefined };
    do {
      const answer = await this.store.dynamodb.send(
        new ScanCommand({
          TableName: this.store.tableName(step.table),
          ...(step.index === undefined ? {} : { IndexName: step.index }),
          ...(filter === undefined ? {} : { FilterExpression: filter }),
          ...(step.count === true ? { Select: "COUNT" as const } : {}),
          ...(limit === undefined ? {} : { Limit: limit - found.count }),
          ...(found.last === undefined ? {} : { ExclusiveStartKey: found.last }),
          ...expressions.request(),
        }),
      );
      found.items.push(...(answer.Items ?? []));
      found.count += answer.Count ?? 0;
      found.last = answer.LastEvaluatedKey;
    } while (found.last !== undefined && (limit === undefined || found.count < limit));
    if (step.count === true) this.count = found.count;
    if (paged && found.last !== undefined) this.next = { after: found.last };
    return found.items;
  }

  private async write(step: Write): Promise<Failure | undefined> {
    const ready = this.ready(step.actions);
    switch (step.mode) {
      case "single":
        for (const one of ready) {
          const failure = await this.writeOne(one);
          if (failure !== undefined) return failure;
        }
        return undefined;
      case "transaction": {
        const all = met(ready);
        for (let at = 0; at < all.length; at += 100) {
          const failure = await this.transact(all.slice(at, at + 100));
          if (failure !== undefined) return failure;
        }
        return undefined;
      }
      case "batch":
        for (let at = 0; at < ready.length; at += 25) await this.writeBatch(ready.slice(at, at + 25));
        return undefined;
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
      if (attempt === BATCH_ATTEMPTS) throw new UnprocessedError(`${this.operation.pattern}: writes are left over`);
      if (attempt > 0) await pause(attempt);
      const answer = await this.store.dynamodb.send(new BatchWriteItemCommand({ RequestItems: rest }));
      rest = answer.UnprocessedItems ?? {};
    }
  }

  /** The actions, one per item where they are repeated, ready to be sent. */
  private ready(actions: readonly Action[]): Ready[] {
    const ready: Ready[] = [];
    for (const action of actions) {
      if (action.each === undefined) {
        ready.push(...this.one(action));
        continue;
      }
      for (const at of (this.scope.reads[action.each - 1] ?? []).keys()) {
        this.scope.atHand = { step: action.each, at };
        try {
          ready.push(...this.one(action));
        } finally {
          this.scope.atHand = undefined;
        }
      }
    }
    return ready;
  }

  private one(action: Action): Ready[] {
    const expressions = this.store.expressions(this.scope);
    const TableName = this.store.tableName(action.table);
    const wrap = (transact: TransactWriteItem): Ready[] => [
      { transact, failsAs: action.failsAs, onReads: action.onReads ?? false },
    ];
    if (action.kind === "Put") {
      const Item = this.putItem(action);
      this.written[action.item] ??= Item;
      const condition = expressions.all(action.condition);
      const conditioned = condition === undefined ? {} : { ConditionExpression: condition };
      return wrap({ Put: { TableName, Item, ...conditioned, ...expressions.request() } });
    }
    const Key = this.primaryKey(action.key);
    const change = action.kind === "Update" ? this.change(action, expressions) : undefined;
    const condition = expressions.all(action.condition);
    const conditioned = condition === undefined ? {} : { ConditionExpression: condition };
    if (action.kind === "Delete") return wrap({ Delete: { TableName, Key, ...conditioned, ...expressions.request() } });
    if (change !== undefined) {
      return wrap({ Update: { TableName, Key, UpdateExpression: change, ...conditioned, ...expressions.request() } });
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

  /** The update expression; undefined where nothing is left of it. */
  private change(action: Update, expressions: Expressions): string | undefined {
    const texts = (clauses: readonly Clause[] | undefined): string[] =>
      (clauses ?? []).map((clause) => expressions.clause(clause)).filter((it) => it !== undefined);
    const set = texts(action.set);
    const remove = (action.remove ?? []).map((path) => expressions.aliased(path));
    for (const entry of action.entries ?? []) {
      const path = this.alias(entry.attribute);
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
    return parts.length === 0 ? undefined : parts.join(" ");
  }
}

/**
 * One action per item, as a transaction wants it: a Delete and a Put that meet on one are that Put under the Delete's
 * condition. They meet where a unique value, or a part of a key, is replaced by itself.
 */
function met(ready: readonly Ready[]): Ready[] {
  const all: Ready[] = [];
  for (const one of ready) {
    const { Put } = one.transact;
    const at = all.findIndex(({ transact: { Delete } }) =>
      Put !== undefined && Delete !== undefined && Delete.TableName === Put.TableName
      && Object.entries(Delete.Key ?? {}).every(([name, value]) => keyText(Put.Item?.[name]) === keyText(value)));
    const [gone] = at < 0 ? [] : all.splice(at, 1);
    if (gone === undefined || Put === undefined) {
      all.push(one);
      continue;
    }
    const { Key: _, ...conditioned } = gone.transact.Delete ?? {};
    all.push({ ...gone, transact: { Put: { ...conditioned, TableName: Put.TableName, Item: Put.Item } } });
  }
  return all;
}

function failed(actions: readonly Ready[]): Failure {
  return {
    conditions: actions.flatMap((one) => one.failsAs ?? []),
    // What an earlier step read may have changed since, unless a condition of the pattern itself failed.
    race: actions.some((one) => one.failsAs === undefined || one.onReads),
  };
}

/** Waits a random part of a time that doubles with every attempt. */
function pause(attempt: number): Promise<void> {
  const most = Math.min(25 * 2 ** attempt, 2_000);
  return new Promise((resolve) => setTimeout(resolve, Math.random() * most));
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
