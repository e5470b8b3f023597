/** Cursors: opaque texts that say where a page begins, bound to their pattern. */

import type { AttributeValue } from "@aws-sdk/client-dynamodb";
import { CursorError } from "./errors.js";
import type { Item } from "./operation.js";

export type Progress = Item | "start" | "done";

export interface Position {
  readonly after?: Item;
  readonly shards?: readonly Progress[];
  readonly offset?: number;
}

type Packed = Record<string, ["S" | "N" | "B", string]>;

function pack(key: Item): Packed {
  return Object.fromEntries(
    Object.entries(key).map(([name, value]) => {
      if (value.S !== undefined) return [name, ["S", value.S]];
      if (value.N !== undefined) return [name, ["N", value.N]];
      return [name, ["B", Buffer.from(value.B ?? []).toString("base64")]];
    }),
  );
}

function unpack(packed: unknown): Item {
  const refused = new CursorError("the cursor can't be read");
  if (typeof packed !== "object" || packed === null || Array.isArray(packed)) throw refused;
  return Object.fromEntries(
    Object.entries(packed).map(([name, pair]): [string, AttributeValue] => {
      const [type, value] = Array.isArray(pair) ? (pair as unknown[]) : [];
      if (typeof value !== "string") throw refused;
      if (type === "S") return [name, { S: value }];
      if (type === "N") return [name, { N: value }];
      if (type === "B") return [name, { B: Buffer.from(value, "base64") }];
      throw refused;
    }),
  );
}

export function encodeCursor(pattern: string, position: Position): string {
  const body = {
    pattern,
    ...(position.after === undefined ? {} : { after: pack(position.after) }),
    ...(position.offset === undefined ? {} : { offset: position.offset }),
    ...(position.shards === undefined
      ? {}
      : { shards: position.shards.map((it) => (typeof it === "string" ? it : pack(it))) }),
  };
  return Buffer.from(JSON.stringify(body)).toString("base64url");
}

export function decodeCursor(cursor: string, pattern: string): Position {
  let body: { pattern?: unknown; after?: unknown; offset?: unknown; shards?: unknown };
  try {
    body = JSON.parse(Buffer.from(cursor, "base64url").toString()) as typeof body;
  } catch {
    throw new CursorError("the cursor can't be read");
  }
  if (body === null || typeof body !== "object" || body.pattern !== pattern) {
    throw new CursorError(`${pattern}: the cursor belongs to another pattern`);
  }
  const { after, offset, shards } = body;
  const isOffset = typeof offset === "number" && Number.isInteger(offset) && offset >= 0;
  return {
    ...(after === undefined ? {} : { after: unpack(after) }),
    ...(isOffset ? { offset } : {}),
    ...(Array.isArray(shards)
      ? { shards: shards.map((it: unknown) => (it === "start" || it === "done" ? it : unpack(it))) }
      : {}),
  };
}
