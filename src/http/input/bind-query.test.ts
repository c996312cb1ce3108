import assert from "node:assert/strict";
import type { StandardSchemaV1 } from "@standard-schema/spec";
import { type } from "arktype";
import * as v from "valibot";
import { z } from "zod";
import { FakeClock } from "../../lib/testing/fake-clock.ts";
import type { ErrorBody, RootRouter } from "../index.ts";
import { createListener } from "../testing/listener.ts";
import { test } from "../testing/test.ts";

const zodPage = z.object({
  page: z.coerce.number().int().min(1).default(1),
  tag: z.array(z.enum(["a", "b"])).optional(),
  q: z.string().optional(),
});
const valibotPage = v.object({
  page: v.optional(v.pipe(v.string(), v.regex(/^\d+$/, "Digits."), v.transform(Number)), "1"),
  tag: v.optional(v.array(v.picklist(["a", "b"]))),
  q: v.optional(v.string()),
});
const arktypePage = type({
  page: "string.integer.parse = '1'",
  "tag?": "('a' | 'b')[]",
  "q?": "string",
});

function registerAll(router: RootRouter): void {
  router.get("/zod", async (e) => e.json(200, await e.bindQuery(zodPage)));
  router.get("/valibot", async (e) => e.json(200, await e.bindQuery(valibotPage)));
  router.get("/arktype", async (e) => e.json(200, await e.bindQuery(arktypePage)));
}

const accepted: { query: string; result: object }[] = [
  { query: "", result: { page: 1 } },
  { query: "?", result: { page: 1 } },
  { query: "?page=3", result: { page: 3 } },
  { query: "?tag=a&tag=b", result: { page: 1, tag: ["a", "b"] } },
  { query: "?tag=a", result: { page: 1, tag: ["a"] } },
  { query: "?tag=a&page=2&q=x", result: { page: 2, tag: ["a"], q: "x" } },
  { query: "?q=", result: { page: 1, q: "" } },
  { query: "?q", result: { page: 1, q: "" } },
  { query: "?q=a+b%20c%26", result: { page: 1, q: "a b c&" } },
  { query: "?q=%zz", result: { page: 1, q: "%zz" } },
  { query: "?q=%ff", result: { page: 1, q: "\ufffd" } },
  { query: "?q=a?b=c", result: { page: 1, q: "a?b=c" } },
];

for (const library of ["zod", "valibot", "arktype"]) {
  for (const { query, result } of accepted) {
    test(`${library} accepts the query "${query}"`, async (t) => {
      const { listen } = await createListener(t, registerAll);
      const response = await fetch(`http://127.0.0.1:${await listen()}/${library}${query}`);
      assert.deepEqual([response.status, await response.json()], [200, result]);
    });
  }
}

const refused: { query: string; fields: Record<string, RegExp> }[] = [
  { query: "?page=zero", fields: { page: /number|Digits|integer|numeric/i } },
  { query: "?page=1&page=2", fields: { page: /./ } },
  { query: "?q=x&q=y", fields: { q: /string/i } },
  { query: "?tag=a&tag=c", fields: { "tag.1": /"?a"?.*"?b"?/ } },
  // A single value is a list with one item, so the item is the problem.
  { query: "?tag=c", fields: { "tag.0": /"?a"?.*"?b"?/ } },
  // The list is fine, so only the number is a problem.
  { query: "?tag=a&page=zero", fields: { page: /number|Digits|integer|numeric/i } },
  { query: "?tag=c&page=zero", fields: { page: /./, "tag.0": /./ } },
];

for (const library of ["zod", "valibot", "arktype"]) {
  for (const { query, fields } of refused) {
    test(`${library} refuses the query "${query}"`, async (t) => {
      const { listen, failures } = await createListener(t, registerAll);
      const response = await fetch(`http://127.0.0.1:${await listen()}/${library}${query}`);
      const { message, data, ...rest } = (await response.json()) as ErrorBody & {
        data: Record<string, { code: string; message: string }>;
      };
      assert.equal(response.status, 400);
      assert.equal(message, "The query contains invalid values.");
      assert.deepEqual(rest, { status: 400, trace_id: response.headers.get("x-trace-id") });
      assert.deepEqual(Object.keys(data).sort(), Object.keys(fields).sort());
      for (const [field, pattern] of Object.entries(fields)) {
        assert.equal(data[field]?.code, "invalid");
        assert.match(data[field]?.message ?? "", pattern);
      }
      assert.deepEqual(failures.items, []);
    });
  }
}

test("names of the object prototype are ordinary parameters, except __proto__", async (t) => {
  const { inject } = await createListener(t, (router) => {
    router.get("/x", async (e) => e.json(200, await e.bindQuery(z.looseObject({}))));
  });
  const names = ["constructor", "toString", "hasOwnProperty", "prototype", "valueOf"];
  const { body } = await inject(`/x?${names.map((name) => `${name}=1`).join("&")}`);
  assert.deepEqual(Object.keys(JSON.parse(body)).sort(), names.sort());
  for (const query of ["__proto__=1", "__proto__=1&__proto__=2", "a=1&%5F_proto__[x]=1&__proto__=x"]) {
    const response = await inject(`/x?${query}`);
    assert.equal(response.status, 400, query);
    assert.deepEqual(response.json<ErrorBody>().data, {
      query: { code: "invalid", message: "The parameter name __proto__ is not allowed." },
    });
  }
  assert.equal(({} as Record<string, unknown>).x, undefined);
});

test("a missing parameter with the name of an inherited property is missing", async (t) => {
  const { inject } = await createListener(t, (router) => {
    const schema = z.object({ constructor: z.string(), toString: z.string().optional() });
    router.get("/x", async (e) => e.json(200, await e.bindQuery(schema)));
  });
  assert.deepEqual(Object.keys((await inject("/x")).json<ErrorBody>().data), ["constructor"]);
});

test("a query has at most 1,000 parameters", async (t) => {
  const { inject } = await createListener(
    t,
    (router) => {
      const schema = z.object({ a: z.array(z.string()) });
      router.get("/x", async (e) => e.json(200, (await e.bindQuery(schema)).a.length));
    },
    { limits: { headerBytes: 65_536 } },
  );
  assert.equal((await inject(`/x?${"a=&".repeat(999)}a=`)).body, "1000");
  const response = await inject(`/x?${"a=&".repeat(1_000)}a=`);
  assert.equal(response.status, 400);
  assert.deepEqual(response.json<ErrorBody>().data, {
    query: { code: "invalid", message: "The query has more than 1000 parameters." },
  });
});

test("a value is not converted and not changed by the second attempt", async (t) => {
  const seen: unknown[] = [];
  const { inject } = await createListener(t, (router) => {
    const noted = z.unknown().transform((value) => void seen.push(value));
    router.get("/x", async (e) => e.json(200, await e.bindQuery(z.object({ n: z.number(), m: noted }))));
  });
  const { data } = (await inject("/x?n=1&m=2")).json<ErrorBody>();
  assert.deepEqual(data, {
    n: { code: "invalid", message: "Invalid input: expected number, received string" },
  });
  assert.deepEqual(seen, ["2", "2"]);
});

test("a problem of the whole query is named query, also if a list shows it", async (t) => {
  const { inject } = await createListener(t, (router) => {
    const schema = z
      .object({ tag: z.array(z.string()), all: z.string().optional() })
      .refine(({ all }) => all === undefined, "Choose tags or all.");
    router.get("/x", async (e) => e.json(200, await e.bindQuery(schema)));
  });
  const problem = { query: { code: "invalid", message: "Choose tags or all." } };
  assert.deepEqual((await inject("/x?tag=a&tag=b&all=1")).json<ErrorBody>().data, problem);
  assert.deepEqual((await inject("/x?tag=a&all=1")).json<ErrorBody>().data, problem);
});

test("the type of the query is the output of the schema", async (t) => {
  const { inject } = await createListener(t, (router) => {
    router.get("/x", async (e) => {
      const { page } = await e.bindQuery(zodPage);
      const exact: number = page;
      // @ts-expect-error: the output is a number
      const wrong: string = page;
      return e.json(200, [exact, wrong]);
    });
  });
  assert.deepEqual((await inject("/x?page=2")).json(), [2, 2]);
});

test("an argument that is not a schema is explained in the log", async (t) => {
  const { inject, failures } = await createListener(t, (router) => {
    const old = { parse: () => ({}) } as unknown as StandardSchemaV1;
    router.get("/none", async (e) =>
      e.json(200, await e.bindQuery(undefined as unknown as StandardSchemaV1)),
    );
    router.get("/old/{id}", async (e) => e.json(200, await e.bindPath(old)));
    router.post("/body", async (e) => e.json(200, await e.bindBody(old)));
  });
  assert.equal((await inject("/none")).status, 500);
  assert.equal((await inject("/old/1")).status, 500);
  assert.equal((await inject({ method: "POST", url: "/body", body: {} })).status, 500);
  assert.equal(failures.items.length, 3);
  for (const { error } of failures.items)
    assert.match(String(error), /^TypeError: Expected a Standard Schema\./);
});

test("a schema may take its time, but not forever", async (t) => {
  const clock = new FakeClock(0);
  const { promise: isValidating, resolve: validating } = Promise.withResolvers<void>();
  const create = (validate: () => Promise<StandardSchemaV1.Result<unknown>>): StandardSchemaV1 => ({
    "~standard": { version: 1, vendor: "test", validate },
  });
  const never = create(() => {
    validating();
    return new Promise(() => {});
  });
  const { inject, failures } = await createListener(
    t,
    (router) => {
      router.get("/later", async (e) =>
        e.json(200, await e.bindQuery(create(async () => ({ value: "later" })))),
      );
      router.get("/never", async (e) => e.json(200, await e.bindQuery(never)));
    },
    { clock },
  );
  assert.equal((await inject("/later")).body, '"later"');
  const response = inject("/never");
  await isValidating;
  await new Promise(setImmediate);
  clock.advance(60_000);
  assert.equal((await response).status, 500);
  assert.match(String(failures.items[0]?.error), /Schema validation of the query took longer than 60000 ms/);
});
