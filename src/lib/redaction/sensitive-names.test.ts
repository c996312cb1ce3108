import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createSensitiveNames, isSensitiveName, isSensitiveParameter } from "./sensitive-names.ts";

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
  "passphrase",
  "keyPassphrase",
  "passcode",
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
  "accesskey",
  "AccessKey",
  "signingkeys",
  "passkey",
  "dbpass",
  "SMTP_PASS",
  "userpwd",
  "PGPASSWORD",
  "oauth",
  "OAuth",
  "cvv",
  "card_number",
  "creditCard",
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
  "turkeys",
  "hotkey",
  "compass",
  "bypass",
  "primarykey",
  "code",
  "",
];

describe("sensitive names", () => {
  for (const name of sensitive) it(`${name} is one`, () => assert.ok(isSensitiveName(name)));
  for (const name of harmless) it(`"${name}" is not one`, () => assert.ok(!isSensitiveName(name)));

  it("include a bare key and code where a client sends them", () => {
    for (const name of ["key", "Code", "token"]) assert.ok(isSensitiveParameter(name));
    assert.ok(!isSensitiveParameter("page"));
  });

  const extended = createSensitiveNames(["iban", "customerNumber", "_", "x.y"]);
  for (const name of [
    "IBAN",
    "customerIban",
    "customer_iban",
    "CUSTOMER-IBAN",
    "ibanCount",
    "customer_number",
    "oldCustomerNumber",
    "customernumber",
    "_",
    "X.Y",
    "apiKey",
  ])
    it(`${name} is one after an extension`, () => assert.ok(extended(name)));
  for (const name of ["name", "caliban", "customer", "numberOfCustomers", "__", ""])
    it(`"${name}" is not one after an extension`, () => assert.ok(!extended(name)));
});
