// Makes calls of the compat functions, and compares answers with those of the original. See scripts/suite-compat.
"use strict";

const fs = require("fs");
const path = require("path");
const { isDeepStrictEqual } = require("util");

const [action, folder, callsFile, answersFile] = process.argv.slice(2);
const original = require(path.join(folder, "dist/helpers/key.js"));
const vectors = path.join(__dirname, "../crates/keywright-key/vectors/compat.json");

// What the guide shows but the package does not export.
const shown = {
  hashBucket: (id, n) => Math.abs(id.split("").reduce((a, b) => ((a << 5) - a + b.charCodeAt(0)) | 0, 0)) % n,
  reverseTimestamp: (text) => {
    const left = new Date("2099-12-31").getTime() - new Date(text).getTime();
    return left < 0 ? undefined : left.toString().padStart(15, "0");
  },
  generateOrderItemSk: (order, item) => `ORDER_ITEM#${order}#${item}`,
  parseOrderSk: (sk) => ({ prefix: sk.split("#")[0], orderId: sk.split("#")[1] ?? null }),
  parseOrderItemSk: (sk) => {
    const [prefix, orderId, itemId] = sk.split("#");
    return { prefix, orderId: orderId ?? null, itemId: itemId ?? null };
  },
  generateUserSk: (provider, user) => `${provider}#${user}`,
  generateMasterSk: (type, category, code) => `${type}#${category}#${code}`,
  generateLogKeys: (tenant, text, event) => {
    const iso = new Date(text).toISOString();
    return { pk: `LOG#${tenant}#${iso.slice(0, 7)}`, sk: `${iso}#${event}` };
  },
};

function answer(name, args) {
  const result = (original[name] ?? shown[name])(...args);
  if (result === undefined || Number.isNaN(result)) return null;
  // JSON has no infinity.
  return result === Infinity || result === -Infinity ? String(result) : result;
}

// A small generator with a fixed seed: the same calls in every run.
let state = 20240115;
function below(n) {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return Math.floor((state / 4294967296) * n);
}

const pieces = ["#", "@", "@", "##", "a", "b", "t1", "ORDER", "$", " ", "\t", "\u00a0", "\ufeff", "\u2028", "\u0085", "0x1F", "0b11",
  "0o17", "1e3", "1E-2", "12", "007", "-3", "+4", ".5", "1.", "-", "Infinity", "NaN", "inf", "_", "é", "😀", "\0", "x", "9007199254740993",
  "0x20000000000001", "0xfffffffffffffffffffff", "1e400"];
const text = () => Array.from({ length: below(5) }, () => pieces[below(pieces.length)]).join("");
const version = () => `${text()}@${pieces[below(pieces.length)]}${below(3) === 0 ? pieces[below(pieces.length)] : ""}`;
const instant = () => new Date(below(4294967296) * 1000 + below(1000)).toISOString();

function calls() {
  const makers = [
    () => ["removeSortKeyVersion", [text()]],
    () => ["addSortKeyVersion", [text(), below(1000) - 1]],
    () => ["getSortKeyVersion", [version()]],
    () => ["getSortKeyVersion", [text()]],
    () => ["generateId", [text(), text()]],
    () => ["getTenantCode", [text()]],
    () => ["masterPk", below(4) === 0 ? [] : [text()]],
    () => ["seqPk", below(4) === 0 ? [] : [text()]],
    () => ["ttlSk", [text()]],
    () => ["hashBucket", [text(), 1 + below(50)]],
    () => ["reverseTimestamp", [instant()]],
    () => ["parseOrderSk", [text()]],
    () => ["parseOrderItemSk", [text()]],
    () => ["generateLogKeys", [text(), instant(), text()]],
  ];
  return Array.from({ length: 10000 }, (_, at) => makers[at % makers.length]());
}

const lines = (file) => fs.readFileSync(file, "utf8").split("\n").slice(0, -1);

if (action === "calls") {
  for (const call of calls()) console.log(JSON.stringify(call));
} else {
  let wrong = 0;
  const expect = (what, ours, theirs) => {
    if (!isDeepStrictEqual(ours, theirs)) {
      wrong += 1;
      if (wrong <= 10) console.error(`${what}: ${JSON.stringify(ours)}, the original says ${JSON.stringify(theirs)}`);
    }
  };
  const [made, answers] = [lines(callsFile), lines(answersFile)];
  if (made.length !== answers.length) throw new Error(`${made.length} calls, ${answers.length} answers`);
  made.forEach((line, at) => {
    const [name, args] = JSON.parse(line);
    expect(line, JSON.parse(answers[at]), answer(name, args));
  });
  let unknown = 0;
  for (const { function: name, arguments: args, result } of JSON.parse(fs.readFileSync(vectors, "utf8"))) {
    if (original[name] || shown[name]) expect(`vector ${name}(${JSON.stringify(args)})`, result, answer(name, args));
    else unknown += 1;
  }
  console.log(`compat: ${made.length} calls compared, ${wrong} differ; ${unknown} vectors are of functions that this release lacks`);
  process.exit(wrong ? 1 : 0);
}
