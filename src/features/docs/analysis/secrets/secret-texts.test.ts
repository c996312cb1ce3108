import assert from "node:assert/strict";
import { test } from "node:test";
import { parseSource } from "../source/source-file.ts";
import { findSecretTexts } from "./secret-texts.ts";

const secretsOf = (text: string, environment: string[] = []) =>
  findSecretTexts([parseSource("/source.ts", text)], environment);

const secret: [name: string, source: string][] = [
  ["a constant", `const API_KEY = "canary";`],
  ["a constant with a type", `const API_KEY = "canary" as const satisfies string;`],
  ["a frozen list", `const tokens = Object.freeze(["other", "canary"]);`],
  ["a set", `const apiKeys = new Set(["canary"]);`],
  ["a key of a table", `const TENANT_BY_TOKEN = { "canary": 1 };`],
  ["a part of a template", "const secret = `canary`;"],
  ["a property", `const config = { hook: { webhookSecret: "canary" } };`],
  ["a property in quotes", `const config = { "client-secret": "canary" };`],
  ["a field", `class Vault { #passphrase = "canary"; }`],
  ["a member of an enum", `enum Keys { ApiKey = "canary" }`],
  ["a type of a field", `interface Body { password: "canary" | null }`],
  ["a default argument", `function sign(apiKey = "canary") {}`],
  ["an assignment", `config.apiKey = "canary";`],
  ["a choice", `const API_KEY = isLocal ? "canary" : load();`],
  ["a number", `const PIN = 7331;`],
  ["a fallback of a variable", `const word = process.env.WORD ?? "canary";`],
  ["a fallback of several", `const word = process.env.A || process.env.B || "canary";`],
  ["a fallback in a pattern", `const { WORD = "canary" } = process.env;`],
  ["a fallback that is assigned", `process.env.WORD ??= "canary";`],
  ["a fallback chosen by a variable", `const word = process.env.WORD ? load() : "canary";`],
  [
    "a fallback given to a function",
    `const read = (name, other) => process.env[name] ?? other; const word = read("WORD", "canary");`,
  ],
];

for (const [name, source] of secret) {
  test(`a secret text is ${name}`, () => {
    const text = source.includes("7331") ? "7331" : "canary";
    assert.ok(secretsOf(source).isSecret(text));
  });
}

const plain: [name: string, source: string][] = [
  ["a constant of another name", `const region = "canary";`],
  ["written elsewhere, too", `const TOKEN = "canary"; type Kind = "canary" | "other";`],
  [
    "an argument of another function",
    `const tokenSchema = z.enum(["canary"]); const secret = read("canary");`,
  ],
  ["in a function", `const getToken = () => { log("canary"); const word = "canary"; };`],
  ["the name of a field", `const TOKEN_FIELD = "canary"; interface Body { canary: string }`],
];

for (const [name, source] of plain) {
  test(`a text is not a secret if it is ${name}`, () => assert.ok(!secretsOf(source).isSecret("canary")));
}

test("a long secret is found inside other texts, a short one is not", () => {
  const { isSecret } = secretsOf(`const API_KEY = "canary-key"; const PIN = "1234";`);
  assert.ok(isSecret("Bearer canary-key"));
  assert.ok(!isSecret("12345"));
});

test("a secret of eight characters is long", () => {
  assert.ok(secretsOf(`const API_KEY = "canary-8";`).isSecret("Bearer canary-8"));
  assert.ok(!secretsOf(`const API_KEY = "canary7";`).isSecret("Bearer canary7"));
});

test("an environment value of less than four characters is not a secret", () => {
  const { isSecretAtRunTime } = secretsOf("", ["yes", "four"]);
  assert.ok(!isSecretAtRunTime("yes"));
  assert.ok(isSecretAtRunTime("four"));
});

test("environment values are secrets at run time, unless the source contains them", () => {
  const { isSecret, isSecretAtRunTime } = secretsOf(`type Mode = "production";`, [
    "canary-word",
    "production",
    "1",
  ]);
  assert.ok(!isSecret("canary-word"));
  assert.ok(isSecretAtRunTime("canary-word"));
  assert.ok(isSecretAtRunTime("https://canary-word/"));
  assert.ok(!isSecretAtRunTime("production"));
  assert.ok(!isSecretAtRunTime("1"));
});
