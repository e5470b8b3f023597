// Holds the generated TypeScript's keys to the shared vectors. Usage: vectors.mjs RUNTIME_DIR VECTORS_DIR
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [runtime, folder] = process.argv.slice(2);
const { buildKey, shardOf } = await import(pathToFileURL(`${runtime}/key.js`).href);
const { parseKey } = await import(pathToFileURL(`${runtime}/parse.js`).href);
const { longestPause } = await import(pathToFileURL(`${runtime}/wait.js`).href);
const load = (name) => JSON.parse(readFileSync(`${folder}/${name}.json`, "utf8"));
// What a shard was hashed from can't be told, nor what of a text's other spellings somebody wrote.
const lossy = /<[^>]*:(shard|y|ym|ymd|ymdh)[0-9]*>/;
const spelled = /<[^>]*:(dec|float|iso|epoch|pad|desc|int)[^>]*>/;
let count = 0;
for (const { template, values, key } of load("keys")) {
  assert.equal(buildKey(template, (name) => values[name]), key, JSON.stringify({ template, values }));
  const parsed = parseKey(template, key);
  assert.ok(parsed, JSON.stringify({ template, key }));
  if (!lossy.test(template)) {
    assert.equal(buildKey(template, (name) => parsed[name]), key, JSON.stringify({ template, parsed }));
    if (!spelled.test(template)) assert.deepEqual({ ...parsed }, values);
  }
  // Neither more nor less is a key of the template.
  if (!/>$/.test(template)) assert.equal(parseKey(template, `${key}#`), undefined, key);
  assert.equal(parseKey(`${template}#MORE`, key), undefined, key);
  count += 1;
}
for (const { template, values, reason } of load("refused")) {
  let built;
  try {
    built = buildKey(template, (name) => values[name]);
  } catch {
    built = undefined;
  }
  assert.equal(built, undefined, `${template}: ${reason}`);
  count += 1;
}
for (const { text, count: shards, shard } of load("shards")) {
  assert.equal(shardOf(text, shards), shard, text);
  count += 1;
}
// Attempts wait a random part of a time that doubles, and never long.
assert.deepEqual([1, 2, 3, 6, 7, 40].map(longestPause), [50, 100, 200, 1_600, 2_000, 2_000]);
console.log(`typescript: ${count} key vectors`);
