import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { FunctionValue } from "../flow/values/value.ts";
import { parseSource } from "../source/source-file.ts";
import { isSameFunction } from "./same-function.ts";

/** The function that a piece of source declares. */
function functionIn(text: string): FunctionValue {
  const file = parseSource("/a.ts", text);
  const [node] = file.program.body as unknown as FunctionValue["node"][];
  return {
    kind: "function",
    node: node!,
    file,
    env: undefined as never,
    self: undefined,
    declared: [{ file, start: 0, name: node!.id?.name }],
  };
}

const found = functionIn(
  'async function sell(e: Event) { const { seat } = await e.bindBody<Seat>(); return e.json(201, { seat, by: "cash" }); }',
);

describe("a function in the source", () => {
  it("matches the running function after compilation", () => {
    const compiled =
      'async function sell(e) { const { seat } = await e.bindBody(); return e.json(201, { seat, by: "cash" }); }';
    const minified =
      'async function n(a){const{seat:s}=await a.bindBody();return a.json(201,{seat:s,by:"cash"})}';
    const counted = `async function sell(e) { cov().f[0]++; cov().s[1]++; ${compiled.slice(24)}`;
    for (const text of [compiled, minified, counted])
      assert.equal(isSameFunction(found, { text }, undefined), true, text);
    assert.equal(isSameFunction(found, { text: minified, name: "n" }, undefined), true);
  });

  it("does not match another function of the same structure", () => {
    const text =
      'async function buy(e) { const { seat } = await e.bindBody(); return e.json(201, { seat, by: "cash" }); }';
    assert.equal(isSameFunction(found, { text, name: "buy" }, undefined), false);
  });

  it("does not match another function", () => {
    const text =
      'function openDoors(e) { if (e.header("x-driver") === undefined) throw e.error(403); return e.noContent(); }';
    assert.equal(isSameFunction(found, { text }, undefined), false);
    assert.equal(isSameFunction(found, { text: "not a function" }, undefined), false);
  });

  it("is compared by its text if the file runs untransformed", () => {
    const text = "async list(e) { return e.json(200, []); }";
    assert.equal(isSameFunction(found, { text }, "(e) { return e.json(200, []); }"), true);
    assert.equal(isSameFunction(found, { text }, "(e) { return e.json(200, {}); }"), false);
  });

  it("cannot be compared with a bound function", () => {
    assert.equal(
      isSameFunction(found, { text: "function () { [native code] }", name: "bound sell" }, undefined),
      true,
    );
  });
});
