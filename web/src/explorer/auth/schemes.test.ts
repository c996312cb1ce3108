import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { SecurityScheme } from "../../../../src/features/docs/wire.ts";
import { credentialsFor, enter, entered } from "./credentials.ts";
import { type NamedScheme, placeOf, requiresAuth, schemesOf } from "./schemes.ts";

const bearer: SecurityScheme = { type: "http", scheme: "bearer" };
const basic: SecurityScheme = { type: "http", scheme: "Basic" };
const key: SecurityScheme = { type: "apiKey", in: "header", name: "X-API-Key" };
const document = { paths: {}, components: { securitySchemes: { bearer, basic, key } } };

describe("the security schemes of an operation", () => {
  it("are those that it names, once each", () => {
    const security = [{ key: [], bearer: [] }, { key: [] }, { gone: [] }];
    assert.deepEqual(
      schemesOf(document, { security }).map(({ name }) => name),
      ["key", "bearer"],
    );
    assert.deepEqual(schemesOf(document, { security: [] }), []);
  });

  it("are all of the document if it names none", () => {
    assert.equal(schemesOf(document, {}).length, 3);
  });

  it("are required unless a request without them is allowed", () => {
    assert.equal(requiresAuth({ security: [{ key: [] }] }), true);
    assert.equal(requiresAuth({ security: [{}, { key: [] }] }), false);
    assert.equal(requiresAuth({ security: [] }), false);
    assert.equal(requiresAuth({}), false);
  });
});

describe("the place of a credential", () => {
  const cases: [NamedScheme, string][] = [
    [{ name: "bearer", scheme: bearer }, "header Authorization Bearer TOKEN"],
    [{ name: "basic", scheme: basic }, "header Authorization Basic BASIC_AUTH"],
    [{ name: "myKey2", scheme: key }, "header X-API-Key MY_KEY2"],
    [{ name: "1 ü", scheme: { type: "apiKey", in: "cookie", name: "sid" } }, "cookie sid CREDENTIAL_1_"],
    [{ name: "login", scheme: { type: "oauth2", flows: {} } }, "header Authorization Bearer TOKEN"],
    [{ name: "mac", scheme: { type: "http", scheme: "MAC" } }, "header Authorization MAC MAC"],
  ];
  for (const [scheme, expected] of cases) {
    it(`of ${scheme.name} is ${expected}`, () => {
      const { in: place, name, prefix, variable } = placeOf(scheme);
      assert.equal([place, name, prefix.trim(), variable].filter(Boolean).join(" "), expected);
    });
  }
});

describe("entered credentials", () => {
  it("are sent for the schemes that have one", () => {
    enter("bearer", "Bearer abc");
    enter("basic", "adä:pass:word");
    const found = credentialsFor(schemesOf(document, {}));
    assert.deepEqual(
      found.map(({ prefix, secret }) => prefix + secret),
      ["Bearer abc", `Basic ${Buffer.from("adä:pass:word").toString("base64")}`],
    );
    enter("bearer", "");
    assert.deepEqual(Object.keys(entered.value), ["basic"]);
  });
});
