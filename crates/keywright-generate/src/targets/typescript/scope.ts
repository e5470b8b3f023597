/** The values that the steps of one call can name, and the expressions that are built from them. */

import type { AttributeValue } from "@aws-sdk/client-dynamodb";
import { MalformedItemError } from "./errors.js";
import { buildBound, buildKey } from "./key.js";
import type { Clause, Inputs, Item, Pair, Value } from "./operation.js";
import { at, keyText } from "./value.js";

/** What the caller gives under this name. */
export const given =
  (name: string): Value =>
  (scope) =>
    scope.input(name);

/** What the operation made up under this name. */
export const generated =
  (name: string): Value =>
  (scope) =>
    scope.generated[name];

/** An attribute of what an earlier step read. */
export const found =
  (step: number, attribute: string): Value =>
  (scope) =>
    scope.read(step, attribute);

/** A fixed text. */
export const text =
  (value: string): Value =>
  () => ({ S: value });

/** A fixed number. */
export const number =
  (value: string): Value =>
  () => ({ N: value });

/** A fixed truth value. */
export const flag =
  (value: boolean): Value =>
  () => ({ BOOL: value });

/** A key, built by a template. */
export const key =
  (template: string): Value =>
  (scope) =>
    textValue(buildKey(template, (name) => scope.named(name)));

/** A leading part of a key, built by a template, as the bound of a range. */
export const bound =
  (template: string): Value =>
  (scope) =>
    textValue(buildBound(template, (name) => scope.named(name)));

/** A number and a step added to it; a number that was never written counts from zero. */
export const sum =
  (of: Value, plus: number): Value =>
  (scope) => {
    const base = of(scope);
    return { N: String(BigInt((Array.isArray(base) ? undefined : base?.N) ?? "0") + BigInt(plus)) };
  };

function textValue(value: string | undefined): AttributeValue | undefined {
  return value === undefined ? undefined : { S: value };
}

/** The values that the steps of one call can name. */
export class Scope {
  readonly reads: Item[][] = [];
  atHand: { step: number; at: number } | undefined;
  element: number | undefined;
  scattered: ReadonlyMap<string, string> | undefined;

  constructor(
    readonly inputs: Inputs,
    readonly generated: Item,
  ) {}

  input(name: string): AttributeValue | AttributeValue[] | undefined {
    const value = this.inputs[name];
    return Array.isArray(value) && this.element !== undefined ? value[this.element] : value;
  }

  read(step: number, attribute: string): AttributeValue | undefined {
    const index = this.atHand?.step === step ? this.atHand.at : 0;
    const item = this.reads[step - 1]?.[index];
    return item === undefined ? undefined : at(item, attribute);
  }

  named(name: string): string | undefined {
    const scattered = this.scattered?.get(name);
    if (scattered !== undefined) return scattered;
    const [given, old] = name.split(" else ");
    if (given !== undefined && old !== undefined) return this.named(given) ?? this.named(old);
    const sum = /^(.+) ([+-]) (.+)$/.exec(name);
    if (sum !== null) return this.total(sum[1] ?? "", sum[2] === "-", sum[3] ?? "");
    const read = /^(\d+)\.(.+)$/.exec(name);
    if (read !== null) return keyText(this.read(Number(read[1]), read[2] ?? ""));
    const value = this.input(name) ?? this.generated[name];
    return Array.isArray(value) ? undefined : keyText(value);
  }

  /** A number and what is added to it. What is no whole number stays as it is: an encoding refuses it. */
  private total(of: string, minus: boolean, by: string): string | undefined {
    const base = this.named(of) ?? "0";
    const step = /^\d+$/.test(by) ? by : this.named(by);
    const odd = [base, step].find((text) => text !== undefined && !/^-?\d+$/.test(text));
    if (step === undefined || odd !== undefined) return odd;
    return String(minus ? BigInt(base) - BigInt(step) : BigInt(base) + BigInt(step));
  }

  /** The same scope for one row of values of scattered placeholders. */
  forScattered(row: ReadonlyMap<string, string>): Scope {
    const scope = new Scope(this.inputs, this.generated);
    scope.reads.push(...this.reads);
    scope.scattered = row;
    return scope;
  }
}

/** The key of one item, or the part of it that a Query fixes: all of its values must be there. */
export function primaryKey(pairs: readonly Pair[], scope: Scope, pattern: string): Item {
  const item: Item = {};
  for (const [attribute, value] of pairs) {
    const it = value(scope);
    if (it === undefined || Array.isArray(it)) {
      throw new MalformedItemError(`${pattern}: there is no value for the key ${attribute}`);
    }
    item[attribute] = it;
  }
  return item;
}

/** The expressions of one request, and the names and values that they share. */
export class Expressions {
  private readonly names: Record<string, string> = {};
  private readonly values: Record<string, AttributeValue> = {};

  constructor(
    private readonly scope: Scope,
    private readonly odd: ReadonlyMap<string, string>,
  ) {}

  /** A path or a text whose aliases are taken note of. */
  aliased(path: string): string {
    for (const [alias] of path.matchAll(/#[A-Za-z0-9_]+/g)) {
      this.names[alias] = this.odd.get(alias) ?? alias.slice(1);
    }
    return path;
  }

  value(value: AttributeValue): string {
    const alias = `:v${Object.keys(this.values).length}`;
    this.values[alias] = value;
    return alias;
  }

  /** A clause with its values in place; where one is absent, what it says then. */
  clause(clause: Clause): string | undefined {
    const values = (clause.values ?? []).map((value) => value(this.scope));
    if (values.some((value) => value === undefined)) {
      return clause.otherwise === undefined ? undefined : this.aliased(clause.otherwise);
    }
    const aliases = values.map((value) =>
      // A list input stands for its elements.
      (Array.isArray(value) ? value : [value as AttributeValue]).map((one) => this.value(one)).join(", "),
    );
    return this.aliased(clause.text).replace(/\{(\d+)\}/g, (_, at: string) => aliases[Number(at)] ?? "");
  }

  all(clauses: readonly Clause[] | undefined): string | undefined {
    const texts = (clauses ?? []).map((clause) => this.clause(clause)).filter((text) => text !== undefined);
    return texts.length === 0 ? undefined : texts.join(" AND ");
  }

  projection(paths: readonly string[] | undefined): string | undefined {
    return paths === undefined || paths.length === 0 ? undefined : paths.map((path) => this.aliased(path)).join(", ");
  }

  request(): { ExpressionAttributeNames?: Record<string, string>; ExpressionAttributeValues?: Item } {
    return {
      ...(Object.keys(this.names).length > 0 ? { ExpressionAttributeNames: this.names } : {}),
      ...(Object.keys(this.values).length > 0 ? { ExpressionAttributeValues: this.values } : {}),
    };
  }
}
