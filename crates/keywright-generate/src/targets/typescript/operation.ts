/** Operations as values: the requests of a pattern, one after the other, over the values that a call has. */

import type { AttributeValue } from "@aws-sdk/client-dynamodb";
import type { Scope } from "./scope.js";

/** An item as DynamoDB has it. */
export type Item = Record<string, AttributeValue>;

/** A page of items. Without a next cursor it is the last one. */
export interface Page<T> {
  readonly items: T[];
  readonly nextCursor?: string;
}

/** What the caller gives, by name. What is left out is undefined. */
export type Inputs = Record<string, AttributeValue | AttributeValue[] | undefined>;

/** A value in an operation. */
export type Value = (scope: Scope) => AttributeValue | AttributeValue[] | undefined;

/** An attribute and its value. */
export type Pair = readonly [attribute: string, value: Value];

/** A part of an expression; where one of its values is absent it falls away, or says something else. */
export interface Clause {
  readonly text: string;
  readonly values?: readonly Value[];
  readonly otherwise?: string;
}

/** A value that the operation makes up. */
export interface Made {
  readonly name: string;
  readonly how: "ulid" | "uuid" | "ksuid" | "now" | "nowMillis" | "today" | "expiry";
  readonly days?: number;
}

/** One attribute of an order. */
export interface Order {
  readonly attribute: string;
  readonly descending?: boolean;
  /** The declared values, where their order is not that of the texts. */
  readonly values?: readonly string[];
}

/** A Query that is repeated over the values of placeholders: one row of values after the other. */
export interface Scatter {
  readonly placeholders: readonly string[];
  readonly values: readonly string[];
  readonly oneAfterAnother?: boolean;
}

interface Read {
  readonly table: string;
  readonly projection?: readonly string[];
  readonly consistent?: boolean;
}

export interface Get extends Read {
  readonly kind: "Get";
  readonly key: readonly Pair[];
  readonly mayBeAbsent?: boolean;
}

export interface Query extends Read {
  readonly kind: "Query";
  readonly index?: string;
  readonly partition: readonly Pair[];
  readonly sort?: readonly Pair[];
  readonly range?: Clause;
  readonly filter?: readonly Clause[];
  readonly backward?: boolean;
  readonly limit?: number;
  readonly paged?: boolean;
  readonly count?: boolean;
  readonly scatter?: Scatter;
}

export interface BatchGet extends Read {
  readonly kind: "BatchGet";
  readonly ofStep?: number;
  readonly each?: readonly Pair[];
}

export interface Scan {
  readonly kind: "Scan";
  readonly table: string;
  readonly index?: string;
  readonly filter?: readonly Clause[];
  readonly limit?: number;
  readonly paged?: boolean;
  readonly count?: boolean;
}

export interface Write {
  readonly kind: "Write";
  readonly mode: "single" | "transaction" | "batch";
  readonly actions: readonly Action[];
}

export type Step = Get | Query | BatchGet | Scan | Write;

interface Conditioned {
  readonly table: string;
  readonly condition?: readonly Clause[];
  readonly failsAs?: string;
  readonly onReads?: boolean;
  readonly each?: number;
}

export interface Put extends Conditioned {
  readonly kind: "Put";
  readonly item: string;
  readonly values: readonly Pair[];
  readonly basedOn?: number;
  readonly when?: readonly Value[];
}

export interface Entry {
  readonly attribute: string;
  readonly value?: Value;
  readonly when?: Value;
  readonly onlyIfGiven?: boolean;
  readonly equals?: string;
}

export interface Update extends Conditioned {
  readonly kind: "Update";
  readonly key: readonly Pair[];
  readonly set?: readonly Clause[];
  readonly remove?: readonly string[];
  readonly add?: readonly Clause[];
  readonly delete?: readonly Clause[];
  readonly entries?: readonly Entry[];
}

export interface Delete extends Conditioned {
  readonly kind: "Delete" | "Check";
  readonly key: readonly Pair[];
  readonly when?: readonly Value[];
}

export type Action = Put | Update | Delete;

/** How a pattern is served. */
export interface Operation {
  readonly pattern: string;
  readonly made?: readonly Made[];
  readonly steps: readonly Step[];
  readonly shape: "single" | "collection" | "page" | "count" | "nothing";
  readonly answerFrom: number;
  readonly counter?: string;
  readonly order?: readonly Order[];
  readonly clientSort?: boolean;
  readonly first?: number;
  readonly retry?: { readonly fromStep: number; readonly attempts: number };
}

/** The tables, indexes and item types. */
export interface Schema {
  readonly typeAttribute?: string;
  readonly tables: readonly { readonly name: string; readonly key: readonly string[] }[];
  readonly indexes?: readonly { readonly table: string; readonly name: string; readonly key: readonly string[] }[];
  readonly items: readonly {
    readonly name: string;
    readonly table: string;
    readonly keys?: readonly {
      readonly attribute: string;
      readonly template: string;
      readonly when?: string;
      readonly equals?: string;
    }[];
    /** Maps that hold attributes: an item has them from the start, so that an update can set what lies in them. */
    readonly maps?: readonly string[];
  }[];
  readonly aliases?: readonly (readonly [alias: string, name: string])[];
}

/** What an operation gave. */
export interface Answer {
  readonly items: Item[];
  readonly nextCursor?: string;
  readonly count: number;
  /** What the operation made up. */
  readonly generated: Item;
  /** The first item of each type that was put. */
  readonly written: Readonly<Record<string, Item>>;
}
