/** From a key back to the values that it was built from: the exact inverse, but for buckets and shards. */

import {
  ALPHABET,
  BASE62,
  CROCKFORD,
  calendar,
  compareText,
  complement,
  encode,
  fromBase,
  hyphenated,
  inBase,
  inverted,
  KeyError,
  type Place,
  pieces,
} from "./key.js";

/**
 * The values of a key as texts, or undefined where it is no key of the template. A bucket and a shard can't be undone:
 * they come back as they stand in the key.
 */
export function parseKey(template: string, key: string): Readonly<Record<string, string>> | undefined {
  const parts = pieces(template);
  const values: Record<string, string> = {};
  const kept: { part: Place; written: string; follower: string }[] = [];
  let rest = key;
  for (const [at, part] of parts.entries()) {
    if (typeof part === "string") {
      if (!rest.startsWith(part)) return undefined;
      rest = rest.slice(part.length);
      continue;
    }
    const next = parts[at + 1];
    const follower = typeof next === "string" ? next.charAt(0) : "";
    const end = follower === "" ? rest.length : rest.indexOf(follower);
    const length = widthOf(part) ?? end;
    if (length < 0 || length > rest.length) return undefined;
    const written = rest.slice(0, length);
    const value = decode(part, written, follower);
    if (value === undefined) return undefined;
    if (LOSSY.has(shape(part.encoding).family)) kept.push({ part, written, follower });
    else if ((values[part.name] ?? value) !== value) return undefined;
    else values[part.name] = value;
    rest = rest.slice(length);
  }
  for (const { part, written, follower } of kept) {
    const whole = values[part.name];
    if (whole !== undefined && !isWritten(part.encoding, whole, written, follower)) return undefined;
    values[part.name] ??= written;
  }
  return rest === "" ? values : undefined;
}

/** An encoding's family, whether it descends, its numbers and its values. */
function shape(encoding: string): { family: string; descending: boolean; numbers: number[]; values: string[] } {
  const match = /^([a-z]*)([0-9.]*)(?:\((.*)\))?$/.exec(encoding);
  if (match === null) throw new KeyError(`there is no encoding \`${encoding}\``);
  const [, letters = "", numbers = "", list = ""] = match;
  const descending = letters.endsWith("desc");
  const family = descending && letters.length > 4 ? letters.slice(0, -4) : letters;
  return {
    family: family === "desc" ? "pad" : family,
    descending,
    numbers: numbers.split(".").map(Number),
    values: list.split(",").map((value) => value.trim()),
  };
}

/** What says less than the value that it was made from. */
const LOSSY: ReadonlySet<string> = new Set(["y", "ym", "ymd", "ymdh", "shard"]);

const WIDTHS: Readonly<Record<string, number>> = {
  float: 16,
  bool: 1,
  iso: 24,
  isos: 20,
  isou: 27,
  epochs: 12,
  epochms: 15,
  date: 10,
  y: 4,
  ym: 7,
  ymd: 10,
  ymdh: 13,
  ulid: 26,
  uuid: 36,
  ksuid: 27,
};

/** How many characters an encoding takes; undefined where that depends on the value. */
function widthOf({ encoding }: Place): number | undefined {
  const { family, descending, numbers, values } = shape(encoding);
  const [first = 0, scale = 0] = numbers;
  if (family === "pad") return first;
  if (family === "int") return first + 1;
  if (family === "dec") return first + (scale === 0 ? 1 : 2);
  if (family === "shard") return String(first - 1).length;
  if (family === "enum" || (family === "enumname" && descending)) return String(values.length - 1).length;
  return WIDTHS[family];
}

/** A value from how it is written; undefined where nothing is written so. */
function decode({ encoding }: Place, written: string, follower: string): string | undefined {
  const { family, numbers } = shape(encoding);
  if (family === "shard") {
    return /^[0-9]+$/.test(written) && Number(written) < (numbers[0] ?? 0) ? written : undefined;
  }
  let value: string;
  try {
    value = undone(encoding, written);
  } catch {
    return undefined;
  }
  return isWritten(encoding, value, written, follower) ? value : undefined;
}

/** Whether a value is written so, and not only in a way that could be read as it. */
function isWritten(encoding: string, value: string, written: string, follower: string): boolean {
  try {
    return encode(encoding, value, follower) === written;
  } catch {
    return false;
  }
}

function undone(encoding: string, written: string): string {
  const { family, descending, numbers, values } = shape(encoding);
  const [digits = 0, scale = 0] = numbers;
  switch (family) {
    case "":
    case "text":
      return unescape(written);
    case "pad": {
      const value = BigInt(written);
      return String(descending ? 10n ** BigInt(digits) - 1n - value : value);
    }
    case "int":
      return String(unsigned(written, digits, descending));
    case "dec":
      return point(unsigned(written.replace(".", ""), digits, descending), scale);
    case "float":
      return float(written, descending);
    case "bool":
      return String((written === "1") !== descending);
    case "iso":
    case "isos":
    case "isou":
    case "date":
      return descending ? complement(written) : written;
    case "epochs":
    case "epochms": {
      const [width, unit] = family === "epochs" ? [12n, 1n] : [15n, 1000n];
      const value = descending ? 10n ** width - 1n - BigInt(written) : BigInt(written);
      const millis = unit === 1n ? "" : `.${String(value % unit).padStart(3, "0")}`;
      return `${calendar(value / unit)}${millis}Z`;
    }
    case "ulid":
      return descending ? inBase(inverted(fromBase(written, CROCKFORD) ?? 0n, 128n), CROCKFORD, 26) : written;
    case "uuid":
      return descending ? hyphenated(inverted(BigInt(`0x${written.replaceAll("-", "")}`), 128n)) : written;
    case "ksuid":
      return descending ? inBase(inverted(fromBase(written, BASE62) ?? 0n, 160n), BASE62, 27) : written;
    case "enum":
    case "enumname": {
      if (family === "enumname" && !descending) return unescape(written);
      const listed = family === "enum" ? values : [...values].sort(compareText);
      return listed[descending ? listed.length - 1 - Number(written) : Number(written)] ?? "";
    }
    default:
      return written;
  }
}

function unescape(written: string): string {
  return written.replace(/\$(.?)/gsu, (_, sign: string) =>
    sign === "a" ? "@" : String.fromCharCode(ALPHABET.indexOf(sign)),
  );
}

function unsigned(written: string, digits: number, descending: boolean): bigint {
  const offset = 10n ** BigInt(digits);
  return descending ? offset - BigInt(written) : BigInt(written) - offset;
}

function point(units: bigint, scale: number): string {
  const sign = units < 0n ? "-" : "";
  const text = String(units < 0n ? -units : units).padStart(scale + 1, "0");
  const fraction = text.slice(text.length - scale).replace(/0+$/, "");
  return `${sign}${text.slice(0, text.length - scale)}${scale === 0 || fraction === "" ? "" : `.${fraction}`}`;
}

function float(written: string, descending: boolean): string {
  const all = (1n << 64n) - 1n;
  const sign = 1n << 63n;
  const ordered = BigInt(`0x${written}`) ^ (descending ? all : 0n);
  const view = new DataView(new ArrayBuffer(8));
  view.setBigUint64(0, (ordered & sign) === 0n ? ordered ^ all : ordered ^ sign);
  return String(view.getFloat64(0));
}
