/** The tables as the repositories use them: where they are deployed, and what a whole item of each type is. */

import type { AttributeValue, DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { Call, type PageRequest } from "./call.js";
import { MalformedItemError } from "./errors.js";
import { buildKey, newKsuid, newUlid, newUuid } from "./key.js";
import type { Answer, Inputs, Item, Made, Operation, Schema } from "./operation.js";
import { Expressions, Scope } from "./scope.js";
import { at, keyText, put } from "./value.js";

export * from "./errors.js";
export * from "./operation.js";
export * from "./scope.js";
export * from "./value.js";

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
  async run(operation: Operation, inputs: Inputs, page: PageRequest = {}): Promise<Answer> {
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
    for (const path of type.maps ?? []) if (at(item, path) === undefined) put(item, path, { M: {} });
    if (this.schema.typeAttribute !== undefined) item[this.schema.typeAttribute] = { S: name };
    for (const it of type.keys ?? []) delete item[it.attribute];
    const keys: Item = {};
    for (const it of type.keys ?? []) {
      const guard = it.when === undefined ? undefined : keyText(at(item, it.when));
      const there = it.when === undefined || at(item, it.when) !== undefined;
      if (!there || (it.equals !== undefined && guard !== it.equals)) continue;
      const built = buildKey(it.template, (attribute) => keyText(at(item, attribute)));
      if (built !== undefined) keys[it.attribute] = { S: built };
    }
    // Strings of one index that come and go by the same attribute are all there or none is: half of them would keep a stale
    // attribute on the item. One that stands by itself stays, and so does what the table has for its own key.
    for (const index of this.schema.indexes ?? []) {
      const inIndex = index.table === type.table ? index.key : [];
      const own = (type.keys ?? []).filter((it) => inIndex.includes(it.attribute));
      const ended = own.filter((it) => keys[it.attribute] === undefined);
      for (const it of own) {
        const ends = ended.some((other) => other.when === it.when && other.equals === it.equals);
        if (ends && !this.tableKey(type.table).includes(it.attribute)) delete keys[it.attribute];
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
