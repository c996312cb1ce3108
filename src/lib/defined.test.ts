import assert from "node:assert/strict";
import { it } from "node:test";
import { defined } from "./defined.ts";

it("keeps all fields but the undefined ones, in their order", () => {
  const name: string | undefined = undefined;
  const fields: { id: number; name?: string; zero: number; none: null } = defined({
    id: 1,
    name,
    zero: 0,
    none: null,
  });
  assert.deepEqual(Object.entries(fields), [
    ["id", 1],
    ["zero", 0],
    ["none", null],
  ]);
});
