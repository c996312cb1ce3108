import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { Ajv } from "ajv";
import { type } from "arktype";
import * as v from "valibot";
import { z } from "zod";
import * as z3 from "zod/v3";
import { canary, type Failures } from "./failure.ts";

const input = { role: canary, kind: canary, email: canary, age: canary };
const ajv = new Ajv({ verbose: true, allErrors: true });
const properties = {
  role: { type: "string", enum: ["admin"] },
  email: { type: "string", pattern: "@" },
  age: { type: "integer" },
};
const check = ajv.compile({ $async: true, type: "object", properties });
const User4 = z.object({ role: z.enum(["admin"]), kind: z.literal("a"), email: z.email(), age: z.number() });
const User3 = z3.object({
  role: z3.enum(["admin"]),
  kind: z3.literal("a"),
  email: z3.string().email(),
  age: z3.number(),
});

export const validatorFailures: Failures = {
  zod: () => User4.parse(input),
  "zod, with input": () => User4.parse(input, { reportInput: true }),
  "zod, safeParse": () => {
    throw User4.safeParse(input, { reportInput: true }).error;
  },
  "zod 3": () => User3.parse(input),
  "zod 3, safeParse": () => {
    throw User3.safeParse(input).error;
  },
  ajv: () => check(input),
  valibot: () => v.parse(v.object({ role: v.picklist(["admin"]), age: v.number() }), input),
  "valibot, email": () => v.parse(v.pipe(v.string(), v.email()), canary),
  arktype: () => type({ email: "string.email", age: "number" }).assert(input),
  "JSON.parse": () => JSON.parse(canary),
  "JSON.parse, inside": () => JSON.parse(`{"password":"${canary}",}`),
  "new URL": () => new URL(canary),
  BigInt: () => BigInt(canary),
  "invalid argument": () => Buffer.alloc(canary as never),
  "assert.equal": () => assert.equal(canary, "a"),
  "assert.notEqual": () => assert.notEqual(canary, canary),
  "assert.deepEqual": () => assert.deepEqual(input, {}),
  "assert.match": () => assert.match(canary, /\d/),
};
