/**
 * Keys: templates such as `ORDER#<placedAt:iso>#<orderId>` and the encodings that keep the order of values.
 *
 * Values come in as text, the way that people write them; a value can never change the shape of a key.
 */

/** A value that can't stand in a key, or a template that can't be read. */
export class KeyError extends Error {
  override readonly name = "KeyError";
}

/** What a placeholder stands for, as text; undefined where it is absent. */
export type Lookup = (name: string) => string | undefined;

export const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_";
const MAX_BYTES = 2048;

/** A place for a value: its name, and its encoding or nothing. */
export interface Place {
  readonly name: string;
  readonly encoding: string;
}

/** The pieces of a template: literal text, and places for values. */
export function pieces(template: string): (string | Place)[] {
  const found: (string | Place)[] = [];
  let rest = template;
  for (;;) {
    const open = rest.indexOf("<");
    const close = rest.indexOf(">", open);
    if (open < 0 || close < 0) break;
    if (open > 0) found.push(rest.slice(0, open));
    const inside = rest.slice(open + 1, close);
    const colon = inside.indexOf(":");
    found.push(
      colon < 0
        ? { name: inside, encoding: "" }
        : { name: inside.slice(0, colon), encoding: inside.slice(colon + 1) },
    );
    rest = rest.slice(close + 1);
  }
  if (rest.length > 0) found.push(rest);
  return found;
}

/** The key of a template, or undefined where one of its values is absent. */
export function buildKey(template: string, lookup: Lookup): string | undefined {
  return build(template, lookup, false);
}

/**
 * A leading part of a key, as the bound of a range: its last text is escaped as in the middle of a key. A `$` at the end
 * closes an inclusive upper bound: it is the byte after the separator.
 */
export function buildBound(template: string, lookup: Lookup): string | undefined {
  const closed = template.endsWith(">$");
  const built = build(closed ? template.slice(0, -1) : template, lookup, true);
  return built === undefined ? undefined : built + (closed ? "$" : "");
}

function build(template: string, lookup: Lookup, goesOn: boolean): string | undefined {
  const parts = pieces(template);
  let key = "";
  for (const [at, part] of parts.entries()) {
    if (typeof part === "string") {
      key += part;
      continue;
    }
    const text = lookup(part.name);
    if (text === undefined) return undefined;
    const next = parts[at + 1];
    const follower = typeof next === "string" ? next.charAt(0) : at + 1 === parts.length && goesOn ? "#" : "";
    try {
      key += encode(part.encoding, text, follower);
    } catch (error) {
      if (error instanceof KeyError) throw new KeyError(`\`${template}\`, \`${part.name}\`: ${error.message}`);
      throw error;
    }
  }
  const bytes = new TextEncoder().encode(key).length;
  if (bytes === 0 || bytes > MAX_BYTES) {
    throw new KeyError(`\`${template}\`: ${bytes} bytes; a key has 1 to ${MAX_BYTES}`);
  }
  return key;
}

/** A value as it stands in a key before the character `follower`, or at the key's end if that is empty. */
export function encode(encoding: string, text: string, follower: string): string {
  const match = /^([a-z]*)([0-9.]*)(?:\((.*)\))?$/.exec(encoding);
  if (match === null) throw new KeyError(`there is no encoding \`${encoding}\``);
  const [, letters = "", numbers = "", list] = match;
  const descending = letters.length > 4 && letters.endsWith("desc");
  const family = descending ? letters.slice(0, -4) : letters;
  switch (family) {
    case "":
    case "text":
      return escape(text, follower);
    case "pad":
    case "desc":
      return unsigned(text, Number(numbers), family === "desc");
    case "int":
      return signed(integer(text), Number(numbers), descending);
    case "dec": {
      const [digits = "", scale = ""] = numbers.split(".");
      return decimal(text, Number(digits), Number(scale), descending);
    }
    case "float":
      return float(text, descending);
    case "bool":
      if (text !== "true" && text !== "false") throw new KeyError(`"${text}" is not \`true\` or \`false\``);
      return (text === "true") === descending ? "0" : "1";
    case "iso":
      return iso(text, 3, descending);
    case "isos":
      return iso(text, 0, descending);
    case "isou":
      return iso(text, 6, descending);
    case "epochs":
      return epoch(text, 12, 1_000_000_000n, descending);
    case "epochms":
      return epoch(text, 15, 1_000_000n, descending);
    case "date":
      if (!isDate(text)) throw new KeyError(`"${text}" is not a date`);
      return descending ? complement(text) : text;
    case "y":
      return bucket(text, 4);
    case "ym":
      return bucket(text, 7);
    case "ymd":
      return bucket(text, 10);
    case "ymdh":
      return bucket(text, 13);
    case "shard": {
      const count = Number(numbers);
      return String(shardOf(text, count)).padStart(String(count - 1).length, "0");
    }
    case "ulid":
      return ulid(text, descending);
    case "uuid":
      return uuid(text, descending);
    case "ksuid":
      return ksuid(text, descending);
    case "enum":
    case "enumname":
      return enumeration(text, list, family === "enumname", descending, follower);
    default:
      throw new KeyError(`there is no encoding \`${encoding}\``);
  }
}

/**
 * Free text: before a `#` every byte up to `$` is written as `$` and one character, so that the order of texts is the
 * order of keys; at the end of a key only `#` and `$` are.
 */
function escape(text: string, follower: string): string {
  let escapes: (code: number) => boolean;
  if (follower === "#") escapes = (code) => code <= 0x24;
  else if (follower === "") escapes = (code) => code === 0x23 || code === 0x24;
  else if (follower === "@") escapes = (code) => code <= 0x24 || code === 0x40;
  else {
    const most = Math.max(0x23, follower.charCodeAt(0));
    for (const character of text) {
      if (character.charCodeAt(0) <= most) {
        throw new KeyError(`"${character}" would change the shape or the order of the key`);
      }
    }
    return text;
  }
  let escaped = "";
  for (const character of text) {
    const code = character.charCodeAt(0);
    escaped += escapes(code) ? `$${code === 0x40 ? "a" : ALPHABET.charAt(code)}` : character;
  }
  return escaped;
}

function integer(text: string): bigint {
  if (!/^[+-]?[0-9]+$/.test(text)) throw new KeyError(`"${text}" is not an integer`);
  return BigInt(text.startsWith("+") ? text.slice(1) : text);
}

function unsigned(text: string, width: number, descending: boolean): string {
  const value = integer(text);
  const most = 10n ** BigInt(width) - 1n;
  if (value < 0n || value > most) throw new KeyError(`${value} is outside 0 to ${most}`);
  return String(descending ? most - value : value).padStart(width, "0");
}

function signed(value: bigint, width: number, descending: boolean): string {
  const offset = 10n ** BigInt(width);
  if (value <= -offset || value >= offset) {
    throw new KeyError(`${value} is outside ${1n - offset} to ${offset - 1n}`);
  }
  return String(descending ? offset - value : offset + value).padStart(width + 1, "0");
}

function decimal(text: string, width: number, scale: number, descending: boolean): string {
  const match = /^([+-]?)([0-9]+)(?:\.([0-9]+))?$/.exec(text);
  if (match === null) throw new KeyError(`"${text}" is not a decimal`);
  const [, sign = "", whole = "", given = ""] = match;
  const fraction = given.replace(/0+$/, "");
  if (fraction.length > scale) throw new KeyError(`${text} has more digits than the key keeps`);
  const units = BigInt(whole + fraction.padEnd(scale, "0"));
  const written = signed(sign === "-" ? -units : units, width, descending);
  const point = written.length - scale;
  return scale === 0 ? written : `${written.slice(0, point)}.${written.slice(point)}`;
}

function float(text: string, descending: boolean): string {
  const value = text.trim() === "" ? Number.NaN : Number(text);
  if (!Number.isFinite(value)) throw new KeyError("a float in a key must be finite");
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value + 0);
  const bits = view.getBigUint64(0);
  const all = (1n << 64n) - 1n;
  const sign = 1n << 63n;
  const ordered = (bits & sign) === 0n ? bits | sign : bits ^ all;
  return (descending ? ordered ^ all : ordered).toString(16).padStart(16, "0");
}

export function complement(text: string): string {
  return text.replace(/[0-9]/g, (digit) => String(9 - Number(digit)));
}

function isDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const millis = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(millis) && new Date(millis).toISOString().slice(0, 10) === text;
}

/** An instant in nanoseconds since 1970. */
function instant(text: string): bigint {
  const shape = /^(\d{4}-\d{2}-\d{2})[Tt](\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,9}))?([Zz]|[+-]\d{2}:\d{2})$/.exec(text);
  const refused = new KeyError(`"${text}" is not an RFC 3339 instant`);
  if (shape === null) throw refused;
  const [, date = "", hour = "", minute = "", second = "", fraction = "", zone = ""] = shape;
  if (!isDate(date) || Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) throw refused;
  let seconds = BigInt(Date.parse(`${date}T${hour}:${minute}:${second}Z`)) / 1000n;
  if (zone.length > 1) {
    const [hours, minutes] = [Number(zone.slice(1, 3)), Number(zone.slice(4))];
    if (hours > 23 || minutes > 59) throw refused;
    const offset = BigInt(hours * 3600 + minutes * 60);
    seconds += zone.startsWith("+") ? -offset : offset;
  }
  if (seconds < -62_167_219_200n || seconds > 253_402_300_799n) throw refused;
  return seconds * 1_000_000_000n + BigInt(fraction.padEnd(9, "0"));
}

function split(nanos: bigint): [bigint, bigint] {
  const fraction = ((nanos % 1_000_000_000n) + 1_000_000_000n) % 1_000_000_000n;
  return [(nanos - fraction) / 1_000_000_000n, fraction];
}

/** `2024-01-15T10:30:00`, of whole seconds since 1970. */
export function calendar(seconds: bigint): string {
  return new Date(Number(seconds) * 1000).toISOString().slice(0, 19);
}

function iso(text: string, digits: number, descending: boolean): string {
  const [seconds, fraction] = split(instant(text));
  const kept = String(fraction).padStart(9, "0");
  if (/[1-9]/.test(kept.slice(digits))) throw new KeyError(`${text} has more digits than the key keeps`);
  const written = `${calendar(seconds)}${digits === 0 ? "" : `.${kept.slice(0, digits)}`}Z`;
  return descending ? complement(written) : written;
}

function epoch(text: string, width: number, unit: bigint, descending: boolean): string {
  const nanos = instant(text);
  if (nanos % unit !== 0n) throw new KeyError(`${text} has more digits than the key keeps`);
  if (nanos < 0n) throw new KeyError(`${text} is before 1970`);
  const value = nanos / unit;
  return String(descending ? 10n ** BigInt(width) - 1n - value : value).padStart(width, "0");
}

function bucket(text: string, width: number): string {
  const whole = `${text}${"0000-01-01T00".slice(text.length)}`;
  const isBucket = text.length === width && (width < 13 || text.charAt(10) === "T");
  if (isBucket && isDate(whole.slice(0, 10)) && Number(whole.slice(11, 13)) <= 23) return text;
  if (isDate(text) && width < 13) return text.slice(0, width);
  return calendar(split(instant(text))[0]).slice(0, width);
}

/** The shard of a text: FNV-1a over its UTF-8 bytes, mixed, modulo the number of shards. */
export function shardOf(text: string, count: number): number {
  let hash = 2_166_136_261;
  for (const byte of new TextEncoder().encode(text)) hash = Math.imul(hash ^ byte, 16_777_619);
  hash ^= hash >>> 16;
  hash = Math.imul(hash, 0x85ebca6b);
  hash ^= hash >>> 13;
  hash = Math.imul(hash, 0xc2b2ae35);
  hash ^= hash >>> 16;
  return (hash >>> 0) % count;
}

export const CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
export const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** A number in digits of an alphabet, with leading zeros up to the width. */
export function inBase(value: bigint, alphabet: string, width: number): string {
  const base = BigInt(alphabet.length);
  let text = "";
  for (let rest = value; rest > 0n; rest /= base) text = alphabet.charAt(Number(rest % base)) + text;
  return text.padStart(width, alphabet.charAt(0));
}

export function fromBase(text: string, alphabet: string): bigint | undefined {
  let value = 0n;
  for (const character of text) {
    const digit = alphabet.indexOf(character);
    if (digit < 0) return undefined;
    value = value * BigInt(alphabet.length) + BigInt(digit);
  }
  return value;
}

export function inverted(value: bigint, bits: bigint): bigint {
  return (1n << bits) - 1n - value;
}

function ulid(text: string, descending: boolean): string {
  const value = text.length === 26 ? fromBase(text, CROCKFORD) : undefined;
  if (value === undefined || value >= 1n << 128n) throw new KeyError(`"${text}" is not a ulid in its canonical form`);
  return descending ? inBase(inverted(value, 128n), CROCKFORD, 26) : text;
}

function uuid(text: string, descending: boolean): string {
  if (!/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/.test(text)) {
    throw new KeyError(`"${text}" is not a uuid in its canonical form`);
  }
  return descending ? hyphenated(inverted(BigInt(`0x${text.replaceAll("-", "")}`), 128n)) : text;
}

export function hyphenated(value: bigint): string {
  const hex = value.toString(16).padStart(32, "0");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}

function ksuid(text: string, descending: boolean): string {
  const value = text.length === 27 ? fromBase(text, BASE62) : undefined;
  if (value === undefined || value >= 1n << 160n) throw new KeyError(`"${text}" is not a ksuid in its canonical form`);
  return descending ? inBase(inverted(value, 160n), BASE62, 27) : text;
}

/** Bytes compared as DynamoDB compares texts. */
export function compareText(a: string, b: string): number {
  const [left, right] = [new TextEncoder().encode(a), new TextEncoder().encode(b)];
  for (let at = 0; at < Math.min(left.length, right.length); at += 1) {
    const difference = (left[at] ?? 0) - (right[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}

function enumeration(
  name: string,
  list: string | undefined,
  byName: boolean,
  descending: boolean,
  follower: string,
): string {
  if (list === undefined) throw new KeyError("no values are declared, so they have no order");
  const values = list.split(",").map((value) => value.trim());
  const index = values.indexOf(name);
  if (index < 0) throw new KeyError(`"${name}" is not a declared value`);
  if (byName && !descending) return escape(name, follower);
  const rank = byName ? values.filter((value) => compareText(value, name) < 0).length : index;
  const last = values.length - 1;
  return String(descending ? last - rank : rank).padStart(String(last).length, "0");
}

function random(bytes: number): bigint {
  let value = 0n;
  for (const byte of crypto.getRandomValues(new Uint8Array(bytes))) value = (value << 8n) | BigInt(byte);
  return value;
}

/** A new ULID. */
export function newUlid(millis: number): string {
  return inBase((BigInt(millis) << 80n) | random(10), CROCKFORD, 26);
}

/** A new UUID, version 7. */
export function newUuid(millis: number): string {
  const low = random(10);
  const value =
    (BigInt(millis) << 80n) | (7n << 76n) | ((low >> 68n) << 64n) | (2n << 62n) | (low & ((1n << 62n) - 1n));
  return hyphenated(value);
}

/** A new KSUID. */
export function newKsuid(millis: number): string {
  const seconds = BigInt(Math.floor(millis / 1000) - 1_400_000_000);
  return inBase((seconds << 128n) | random(16), BASE62, 27);
}
