import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  createSensitiveNames,
  isSensitiveName,
  isSensitiveParameter,
  redactText,
} from "./sensitive-names.ts";

const sensitive = [
  "authorization",
  "Proxy-Authorization",
  "cookie",
  "set-cookie",
  "password",
  "passwordConfirm",
  "oldPassword",
  "userpassword",
  "passwd",
  "pwd",
  "token",
  "accessToken",
  "access_token",
  "X-Access-Token",
  "REFRESH_TOKEN",
  "tokens",
  "secret",
  "clientSecret",
  "apiKey",
  "api_key",
  "apikey",
  "APIKey",
  "x-api-key",
  "private_key",
  "signingKeys",
  "x-hub-signature-256",
  "session",
  "sessionId",
  "sid",
  "otp",
  "pin",
  "x-csrf-token",
  "auth",
  "x-auth",
  "jwt",
  "DB_PASSWORD",
  "credentials",
];
const harmless = [
  "author",
  "monkey",
  "key",
  "keyboard",
  "primaryKey",
  "sort_key",
  "idempotency-key",
  "tokenCount",
  "token_type",
  "passwordLength",
  "pinned",
  "spin",
  "name",
  "path",
  "status",
  "passenger",
  "",
];

describe("sensitive names", () => {
  for (const name of sensitive) it(`${name} is one`, () => assert.ok(isSensitiveName(name)));
  for (const name of harmless) it(`"${name}" is not one`, () => assert.ok(!isSensitiveName(name)));

  it("include a bare key and code where a client sends them", () => {
    for (const name of ["key", "Code", "token"]) assert.ok(isSensitiveParameter(name));
    assert.ok(!isSensitiveParameter("page"));
  });

  it("can be extended, however they are capitalised", () => {
    const isSensitive = createSensitiveNames(["iban"]);
    assert.ok(isSensitive("IBAN"));
    assert.ok(isSensitive("apiKey"));
    assert.ok(!isSensitive("name"));
  });
});

describe("redacted text", () => {
  const jwt = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhZGEifQ.c2lnbmF0dXJl";
  for (const [text, expected] of [
    ["GET /x?token=t&page=2", "GET /x?token=[redacted]&page=2"],
    ["/x?page=1&api%5Fkey=t#access_token=u", "/x?page=1&api%5Fkey=[redacted]#access_token=[redacted]"],
    ["/callback?code=abc&state=1", "/callback?code=[redacted]&state=1"],
    ["postgres://ada:lovelace@db.example/annex", "postgres://[redacted]@db.example/annex"],
    ["Bearer abc.def", "[redacted]"],
    [`the token ${jwt} is old`, "[redacted]"],
    ["/x?page=2", "/x?page=2"],
    ["a = b", "a = b"],
    ["ada@example.com", "ada@example.com"],
  ] as const)
    it(JSON.stringify(text), () => assert.equal(redactText(text), expected));
});
