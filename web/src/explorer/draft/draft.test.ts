import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Parameter } from "../../../../src/features/docs/wire.ts";
import { type Draft, parametersOf, prepare } from "./draft.ts";

const empty: Draft = { values: {}, text: "", form: {} };
const id: Parameter = { name: "id", in: "path", required: true, schema: { type: "string" } };
const tag: Parameter = { name: "tag", in: "query", schema: { type: "array" } };
const page: Parameter = { name: "page", in: "query", schema: { type: "integer" } };
const tenant: Parameter = { name: "X-Tenant", in: "header", schema: {} };

function write(path: string, values: Draft["values"], parameters: readonly Parameter[] = [id]) {
  return prepare({ method: "GET", path }, parameters, { ...empty, values });
}

describe("a request draft", () => {
  const addresses = [
    { path: "/todos/{id}", values: { "path id": "a/b c?" }, address: "/todos/a%2Fb%20c%3F" },
    { path: "/todos/{id}", values: {}, address: "/todos/{id}" },
    { path: "/files/{id...}", values: { "path id": "a b/c" }, address: "/files/a%20b/c" },
  ];
  for (const { path, values, address } of addresses) {
    it(`with ${JSON.stringify(values)} in ${path} goes to ${address}`, () => {
      assert.equal(write(path, values as Draft["values"]).request.address, address);
    });
  }

  it("sends the given query parameters and headers, and repeats the name for each item of a list", () => {
    const values = { "query tag": "a, b&c", "query page": "", "header X-Tenant": "acme" };
    const { request } = write("/todos", values, [tag, page, tenant]);
    assert.equal(request.address, "/todos?tag=a&tag=b%26c");
    assert.deepEqual(request.headers, [["X-Tenant", "acme"]]);
  });

  it("reports missing values, and refuses dot segments", () => {
    assert.deepEqual(write("/todos/{id}", {}).problems, { "path id": "Enter a value for id." });
    for (const value of [".", ".."]) {
      assert.match(write("/todos/{id}", { "path id": value }).problems["path id"]!, /cannot be \. or \.\./);
    }
    assert.deepEqual(write("/todos/{id}", { "path id": "1" }).problems, {});
  });

  it("includes path parameters that the document does not contain", () => {
    assert.deepEqual(
      parametersOf("/a/{id}/{rest...}", [id, page]).map(({ in: place, name }) => [place, name]),
      [
        ["path", "rest"],
        ["path", "id"],
        ["query", "page"],
      ],
    );
  });

  it("has a content type for its body, unless the browser sets it", () => {
    const of = (draft: Partial<Draft>) =>
      prepare({ method: "POST", path: "/x" }, [], { ...empty, ...draft }).request;
    assert.deepEqual(of({ contentType: "application/json", text: "{}" }), {
      method: "POST",
      address: "/x",
      headers: [["Content-Type", "application/json"]],
      cookies: [],
      body: { kind: "text", text: "{}" },
    });
    assert.equal(of({ contentType: "application/json", text: "" }).body, undefined);
    const parts = of({ contentType: "multipart/form-data", form: { name: "a", note: "" } });
    assert.deepEqual(parts.headers, []);
    assert.deepEqual(parts.body, { kind: "parts", fields: [["name", "a"]] });
  });
});
