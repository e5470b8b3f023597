// Holds the generated TypeScript's keys to the shared vectors. Usage: vectors.mjs KEY_MODULE VECTORS_DIR
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [module, folder] = process.argv.slice(2);
const { buildKey, shardOf } = await import(pathToFileURL(module).href);
const load = (name) => JSON.parse(readFileSync(`${folder}/${name}.json`, "utf8"));
let count = 0;
for (const { template, values, key } of load("keys")) {
  assert.equal(buildKey(template, (name) => values[name]), key, JSON.stringify({ template, values }));
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
console.log(`typescript: ${count} key vectors`);
