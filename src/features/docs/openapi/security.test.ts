import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { RouteNotes } from "../../../lib/route-notes.ts";
import type { CredentialFacts, OperationFacts } from "../model/facts.ts";
import type { SecurityScheme } from "../model/openapi.ts";
import type { EndpointData } from "../registry/endpoint.ts";
import { Security } from "./security.ts";

const endpointWith = (...notes: RouteNotes[]) => ({ notes }) as unknown as EndpointData;
const open = endpointWith();
const guarded = endpointWith({ auth: "any" });

const partnerKey: SecurityScheme = { type: "apiKey", in: "header", name: "x-api-key" };
const session: SecurityScheme = { type: "apiKey", in: "cookie", name: "sid" };

interface Given {
  readonly declared?: Record<string, SecurityScheme>;
  readonly credential?: CredentialFacts | "unknown";
  readonly facts?: OperationFacts;
}

function requirementOf(endpoint: EndpointData, { declared = {}, credential, facts = {} }: Given = {}) {
  const security = new Security(declared, { credential });
  const requirement = security.requirementOf(endpoint, facts);
  return { requirement, schemes: Object.keys(security.schemes) };
}

describe("the security requirement of an operation", () => {
  it("is empty for a public operation", () => {
    assert.deepEqual(requirementOf(open), { requirement: [], schemes: [] });
  });

  it("is a bearer token if only superusers can authenticate", () => {
    const bearer = { requirement: [{ bearerAuth: [] }], schemes: ["bearerAuth"] };
    assert.deepEqual(requirementOf(guarded), bearer);
    const superuser = endpointWith({ auth: "superuser" });
    const credential = { in: "header", name: "x-api-key" } as const;
    assert.deepEqual(requirementOf(superuser, { credential }), bearer);
  });

  it("is the credential that the application's authenticate function reads", () => {
    const of = (credential: CredentialFacts) => requirementOf(guarded, { credential }).requirement;
    assert.deepEqual(of({ in: "header", name: "x-api-key" }), [{ apiKeyAuth: [] }]);
    assert.deepEqual(of({ in: "cookie", name: "sid" }), [{ cookieAuth: [] }]);
    assert.deepEqual(of({ in: "header", name: "authorization", scheme: "basic" }), [{ basicAuth: [] }]);
  });

  it("is the only declared scheme, or the named one", () => {
    const one = { declared: { partnerKey } };
    const both = { declared: { partnerKey, session } };
    assert.deepEqual(requirementOf(guarded, one).requirement, [{ partnerKey: [] }]);
    const named = endpointWith({ auth: "any", scheme: "session" });
    assert.deepEqual(requirementOf(named, both).requirement, [{ session: [] }]);
  });

  it("is omitted if it is not known", () => {
    assert.equal(requirementOf(guarded, { credential: "unknown" }).requirement, undefined);
    assert.equal(requirementOf(guarded, { declared: { partnerKey, session } }).requirement, undefined);
    const named = endpointWith({ auth: "any", scheme: "nothing" });
    assert.equal(requirementOf(named, { declared: { partnerKey } }).requirement, undefined);
  });

  it("includes an Authorization header that the handler reads itself", () => {
    const reading = (isRequired: boolean): Given => ({
      facts: { authorization: { scheme: "bearer", isRequired } },
    });
    assert.deepEqual(requirementOf(open, reading(true)).requirement, [{ bearerAuth: [] }]);
    assert.deepEqual(requirementOf(open, reading(false)).requirement, [{}, { bearerAuth: [] }]);
    const token: SecurityScheme = { type: "http", scheme: "Bearer" };
    assert.deepEqual(requirementOf(open, { ...reading(true), declared: { token } }).requirement, [
      { token: [] },
    ]);
  });
});
