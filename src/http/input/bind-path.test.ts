import assert from "node:assert/strict";
import { type } from "arktype";
import * as v from "valibot";
import { z } from "zod";
import type { ErrorBody } from "../index.ts";
import { createListener } from "../testing/listener.ts";
import { test } from "../testing/test.ts";

const schemas = {
  zod: z.object({ id: z.coerce.number().int(), rest: z.string().min(3) }),
  valibot: v.object({
    id: v.pipe(v.string(), v.digits(), v.transform(Number)),
    rest: v.pipe(v.string(), v.minLength(3)),
  }),
  arktype: type({ id: "string.integer.parse", rest: "string >= 3" }),
};

for (const [library, schema] of Object.entries(schemas)) {
  test(`${library} validates path values, with the remainder by its name`, async (t) => {
    const { listen, failures } = await createListener(t, (router) => {
      router.get("/users/{id}/files/{rest...}", async (e) => e.json(200, await e.bindPath(schema)));
    });
    const origin = `http://127.0.0.1:${await listen()}`;
    const good = await fetch(`${origin}/users/7/files/a/b%20c`);
    assert.deepEqual([good.status, await good.json()], [200, { id: 7, rest: "a/b c" }]);
    const bad = await fetch(`${origin}/users/me/files/a`);
    const { message, data } = (await bad.json()) as ErrorBody;
    assert.deepEqual([bad.status, message], [400, "The path contains invalid values."]);
    assert.deepEqual(Object.keys(data), ["id", "rest"]);
    assert.deepEqual(failures.items, []);
  });
}

test("a schema sees only the names of the route", async (t) => {
  const { inject } = await createListener(t, (router) => {
    router.get("/none", async (e) => e.json(200, await e.bindPath(z.looseObject({}))));
    router.get("/{constructor}/{toString}", async (e) =>
      e.json(200, Object.entries(await e.bindPath(z.record(z.string(), z.string())))),
    );
  });
  assert.deepEqual((await inject("/none")).json(), {});
  assert.deepEqual((await inject("/a/b")).json(), [
    ["constructor", "a"],
    ["toString", "b"],
  ]);
});

test("the type of the path values is the output of the schema", async (t) => {
  const { inject } = await createListener(t, (router) => {
    router.get("/users/{id}/{rest...}", async (e) => {
      const { id } = await e.bindPath(schemas.zod);
      const exact: number = id;
      // @ts-expect-error: the output is a number
      const wrong: string = id;
      return e.json(200, [exact, wrong]);
    });
  });
  assert.deepEqual((await inject("/users/2/abc")).json(), [2, 2]);
});
