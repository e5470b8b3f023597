/** Values of attributes: paths, texts for keys, order, documents, and typed reading. */

import type { AttributeValue } from "@aws-sdk/client-dynamodb";
import { MalformedItemError } from "./errors.js";
import { compareText } from "./key.js";
import type { Item, Order, Schema } from "./operation.js";
import { parseKey } from "./parse.js";

/** A value as a key writes it. */
export function keyText(value: AttributeValue | undefined): string | undefined {
  if (value === undefined) return undefined;
  return value.S ?? value.N ?? (value.BOOL === undefined ? undefined : String(value.BOOL));
}

/** The value at a path: an attribute of that exact name, else the way through maps. */
export function at(item: Item, path: string): AttributeValue | undefined {
  const exact = item[path];
  if (exact !== undefined) return exact;
  const dot = path.indexOf(".");
  const map = dot < 0 ? undefined : item[path.slice(0, dot)]?.M;
  return map === undefined ? undefined : at(map, path.slice(dot + 1));
}

export function put(item: Item, path: string, value: AttributeValue): void {
  const dot = path.indexOf(".");
  if (dot < 0) {
    item[path] = value;
    return;
  }
  const first = path.slice(0, dot);
  const map = { ...(item[first]?.M ?? {}) };
  put(map, path.slice(dot + 1), value);
  item[first] = { M: map };
}

/** What an expression calls an attribute: its name, or its bytes where it is no identifier. */
export function alias(attribute: string): string {
  if (/^[A-Za-z0-9_]+$/.test(attribute)) return `#${attribute}`;
  const bytes = [...new TextEncoder().encode(attribute)];
  return `#x_${bytes.map((byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}

export function byOrder(a: Item, b: Item, order: readonly Order[]): number {
  for (const { attribute, descending, values } of order) {
    const [left, right] = [at(a, attribute), at(b, attribute)];
    const [leftRank, rightRank] = [rank(values, left), rank(values, right)];
    const ranked = leftRank >= 0 && rightRank >= 0;
    const difference = ranked ? leftRank - rightRank : compare(left, right);
    if (difference !== 0) return descending === true ? -difference : difference;
  }
  return 0;
}

/** The position of a value among those that are declared; -1 if it is none of them. */
function rank(values: readonly string[] | undefined, value: AttributeValue | undefined): number {
  return value?.S === undefined ? -1 : (values ?? []).indexOf(value.S);
}

/** The order of two values; an absent one comes first. */
function compare(a: AttributeValue | undefined, b: AttributeValue | undefined): number {
  if (a === undefined || b === undefined) return Number(a !== undefined) - Number(b !== undefined);
  if (a.S !== undefined && b.S !== undefined) return compareText(a.S, b.S);
  if (a.N !== undefined && b.N !== undefined) return compareNumber(a.N, b.N);
  if (a.BOOL !== undefined && b.BOOL !== undefined) return Number(a.BOOL) - Number(b.BOOL);
  return 0;
}

/** Exact, also beyond the digits that a double has. */
function compareNumber(a: string, b: string): number {
  const scaled = (text: string): [bigint, number] => {
    const [mantissa = "0", exponent = "0"] = text.toLowerCase().split("e");
    const [whole = "0", fraction = ""] = mantissa.split(".");
    return [BigInt(whole + fraction), Number(exponent) - fraction.length];
  };
  const [[left, leftPower], [right, rightPower]] = [scaled(a), scaled(b)];
  const least = Math.min(leftPower, rightPower);
  const difference = left * 10n ** BigInt(leftPower - least) - right * 10n ** BigInt(rightPower - least);
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

/** Values of attributes as programs have them, to and from DynamoDB. */
export type Document =
  | string
  | number
  | boolean
  | null
  | Uint8Array
  | ReadonlySet<string>
  | readonly Document[]
  | { readonly [name: string]: Document };

/** A document as DynamoDB has it. */
export function toAttribute(value: Document): AttributeValue {
  if (typeof value === "string") return { S: value };
  if (typeof value === "number") return { N: numberText(value) };
  if (typeof value === "boolean") return { BOOL: value };
  if (value === null) return { NULL: true };
  if (value instanceof Uint8Array) return { B: value };
  if (value instanceof Set) return { SS: [...value] };
  if (Array.isArray(value)) return { L: value.map((one: Document) => toAttribute(one)) };
  return { M: Object.fromEntries(Object.entries(value).map(([name, one]) => [name, toAttribute(one as Document)])) };
}

/** A number as DynamoDB writes it; what is no finite number is refused. */
export function numberText(value: number): string {
  if (!Number.isFinite(value)) throw new MalformedItemError(`${value} is no number of DynamoDB`);
  return String(value);
}

/** A document from what DynamoDB has. */
export function fromAttribute(value: AttributeValue): Document {
  if (value.S !== undefined) return value.S;
  if (value.N !== undefined) return Number(value.N);
  if (value.BOOL !== undefined) return value.BOOL;
  if (value.B !== undefined) return value.B;
  if (value.SS !== undefined) return new Set(value.SS);
  if (value.NS !== undefined) return new Set(value.NS);
  if (value.L !== undefined) return value.L.map(fromAttribute);
  if (value.M !== undefined) {
    return Object.fromEntries(Object.entries(value.M).map(([name, one]) => [name, fromAttribute(one)]));
  }
  return null;
}

/** Which of these item types an item is: by its type attribute, or by its key where that is not projected. */
export function typeOf(schema: Schema, item: Item, candidates: readonly string[]): string | undefined {
  const stated = schema.typeAttribute === undefined ? undefined : item[schema.typeAttribute]?.S;
  if (stated !== undefined) return candidates.find((name) => name === stated);
  const fits = (name: string): boolean => {
    const type = schema.items.find((it) => it.name === name);
    const primary = schema.tables.find((table) => table.name === type?.table)?.key ?? [];
    return (type?.keys ?? [])
      .filter((it) => primary.includes(it.attribute))
      .every((it) => parseKey(it.template, keyText(item[it.attribute]) ?? "") !== undefined);
  };
  return candidates.find(fits);
}

/** Reads the attributes of an item, and says which one is missing or of another type. */
export class Reader {
  constructor(
    private readonly type: string,
    private readonly item: Item,
  ) {}

  private required<T>(path: string, value: T | undefined): T {
    if (value === undefined) throw new MalformedItemError(`${this.type}: \`${path}\` is missing or of another type`);
    return value;
  }

  private has(path: string): boolean {
    return at(this.item, path) !== undefined;
  }

  /** An attribute by one of the other methods, or undefined where it is absent. */
  optional<T>(path: string, read: (path: string) => T): T | undefined {
    return this.has(path) ? read.call(this, path) : undefined;
  }

  text(path: string): string {
    const value = at(this.item, path);
    return this.required(path, value?.S ?? value?.N);
  }

  number(path: string): number {
    const value = at(this.item, path)?.N;
    return Number(this.required(path, value));
  }

  decimal(path: string): string {
    return this.required(path, at(this.item, path)?.N);
  }

  flag(path: string): boolean {
    return this.required(path, at(this.item, path)?.BOOL);
  }

  binary(path: string): Uint8Array {
    return this.required(path, at(this.item, path)?.B);
  }

  list(path: string): readonly Document[] {
    return this.required(path, at(this.item, path)?.L).map(fromAttribute);
  }

  map(path: string): { readonly [name: string]: Document } {
    const map = this.required(path, at(this.item, path)?.M);
    return Object.fromEntries(Object.entries(map).map(([name, one]) => [name, fromAttribute(one)]));
  }

  set(path: string): ReadonlySet<string> {
    const value = at(this.item, path);
    return new Set(this.required(path, value?.SS ?? value?.NS));
  }
}
