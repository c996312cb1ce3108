import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type Findings, type NamedSchema, noFindings, type OperationFacts } from "../model/facts.ts";
import type { OpenAPIDocument } from "../model/openapi.ts";
import type { EndpointData } from "../registry/endpoint.ts";
import { APIVersionManager } from "../versions/version-manager.ts";
import type { DocumentParts } from "./document.ts";
import { DocumentWriter } from "./document-writer.ts";

const manager = new APIVersionManager();
manager.registerVersion("v1");
const config = manager.getVersionConfig("v1");

const endpointOf = (path: string): EndpointData => ({
  key: path,
  method: "GET",
  path,
  parameters: [],
  rest: undefined,
  handlerName: undefined,
  notes: [],
});

const factsOf = (reference: string): OperationFacts => ({
  source: "src/boats.ts:1",
  responses: {
    200: { description: "OK", content: { "application/json": { schema: { $ref: reference } } } },
  },
});

const schemaOf = (file: string): NamedSchema => ({
  name: "Boat",
  schema: { type: "object", properties: { [file]: { type: "string" } } },
  file: `/src/${file}.ts`,
  line: 1,
  source: `src/${file}.ts:1`,
});

const findings: Findings = {
  ...noFindings,
  level: "exact",
  facts: { "/boats": factsOf("a"), "/ships": factsOf("b") },
  schemas: { a: schemaOf("boats"), b: { ...schemaOf("ships"), name: "Ship" } },
};
const parts: DocumentParts = {
  config,
  endpoints: [endpointOf("/boats"), endpointOf("/ships")],
  findings,
  servers: [{ url: "https://example.com" }],
};

const other = schemaOf("docks");
const changed = { type: "object", properties: { length: { type: "number" } } };

/** Successive changes, as caused by edits of the source and of the configuration. */
const edits: Record<string, Partial<DocumentParts>> = {
  nothing: {},
  "the facts of an operation": {
    findings: { ...findings, facts: { ...findings.facts, "/ships": factsOf("a") } },
  },
  "a schema": {
    findings: { ...findings, schemas: { ...findings.schemas, b: { ...schemaOf("ships"), schema: changed } } },
  },
  "a schema of the same name, so that both are named after their files": {
    findings: { ...findings, schemas: { a: schemaOf("boats"), b: other } },
  },
  "the name of the handler": {
    findings: {
      ...findings,
      facts: { ...findings.facts, "/ships": { ...factsOf("b"), name: "listShips" } },
    },
  },
  "what middleware says": {
    endpoints: [endpointOf("/boats"), { ...endpointOf("/ships"), notes: [{ auth: "superuser" }] }],
  },
  "the status of the version": { config: { ...config, status: "deprecated", sunset: "2027-01-01" } },
  "who reads it": { showsSources: false },
  "an operation that is gone": { endpoints: [endpointOf("/ships")] },
};

describe("a rewritten document", () => {
  for (const [name, edit] of Object.entries(edits)) {
    it(`equals a new document after a change of ${name}`, () => {
      const writer = new DocumentWriter();
      writer.write(parts);
      const next = { ...parts, ...edit };
      assert.equal(writer.write(next), new DocumentWriter().write(next));
      assert.equal(writer.write(parts), new DocumentWriter().write(parts));
    });
  }

  it("uses the current names of schemas", () => {
    const writer = new DocumentWriter();
    const namesIn = (text: string) => Object.keys((JSON.parse(text) as OpenAPIDocument).components!.schemas!);
    assert.deepEqual(namesIn(writer.write(parts)), ["Boat", "Error", "Ship"]);
    const schemas = { ...findings.schemas, b: other };
    const text = writer.write({ ...parts, findings: { ...findings, schemas } });
    assert.deepEqual(namesIn(text), ["BoatsBoat", "DocksBoat", "Error"]);
    assert.ok(text.includes('"$ref":"#/components/schemas/BoatsBoat"'));
  });

  it("is not exact if no operation was read", () => {
    const levelOf = (text: string) => (JSON.parse(text) as OpenAPIDocument)["x-analysis"];
    assert.equal(levelOf(new DocumentWriter().write(parts))?.level, "exact");
    const unread = new DocumentWriter().write({ ...parts, findings: { ...findings, facts: {} } });
    assert.deepEqual(levelOf(unread), { level: "none", operations: 2, read: 0, diagnostics: 0 });
  });
});
