import assert from "node:assert/strict";
import {
  checked,
  type ErrorBody,
  type FindProblems,
  type InjectRequest,
  type RequestEvent,
  type RouteCheck,
  type Router,
  staticFiles,
} from "../index.ts";
import { createListener } from "../testing/listener.ts";
import { test } from "../testing/test.ts";

const json = { "content-type": "application/json" };
const problem = { code: "invalid", message: "Must be a string." };

/** Accepts the value "good" only. */
const onlyGood: FindProblems = (value) => (value === "good" ? undefined : { "a.0": problem });

const echo = async (e: RequestEvent) => e.json(200, { value: await e.bindBody() });

function addChecked(router: Router, method: "get" | "post", check: unknown, handler = echo): void {
  const route = router[method]("/", handler).bind(checked()) as unknown as { check: unknown };
  route.check = check;
}

const bodyCheck = (isRequired = true): RouteCheck => ({
  body: { isRequired, types: new Map([["application/json", onlyGood]]) },
});

const post = (body: string, headers: Record<string, string> = json): InjectRequest => ({
  method: "POST",
  url: "/",
  headers,
  body,
});

test("a checked body reaches the handler only if it has no problems", async (t) => {
  const { inject } = await createListener(t, (router) => addChecked(router, "post", bodyCheck()));
  const accepted = await inject(post('"good"'));
  assert.deepEqual([accepted.status, accepted.json()], [200, { value: "good" }]);
  const refused = await inject(post("7"));
  assert.equal(refused.status, 400);
  assert.deepEqual(refused.json<ErrorBody>().data, { "a.0": problem });
});

test("a check refuses content types that it does not know", async (t) => {
  const { inject } = await createListener(t, (router) => addChecked(router, "post", bodyCheck()));
  const form = await inject(post("a=1", { "content-type": "application/x-www-form-urlencoded" }));
  assert.equal(form.status, 415);
  assert.match(form.json<ErrorBody>().message, /Send application\/json\.$/);
  assert.equal((await inject(post('"good"', { "content-type": "constructor" }))).status, 415);
  assert.equal((await inject(post('"good"', {}))).status, 415);
  assert.equal((await inject(post('"good"', { "content-type": "application/patch+json" }))).status, 200);
});

test("a missing body is refused, unless the handler serves requests without it", async (t) => {
  const handler = async (e: RequestEvent) => e.json(200, { value: await e.bindBody().catch(() => "none") });
  for (const isRequired of [true, false]) {
    const { inject } = await createListener(t, (router) =>
      addChecked(router, "post", bodyCheck(isRequired), handler),
    );
    const status = isRequired ? 400 : 200;
    assert.equal((await inject({ method: "POST", url: "/" })).status, status);
    assert.equal((await inject(post(""))).status, status);
    assert.equal((await inject(post("7"))).status, 400);
  }
});

test("a body that the handler decodes itself is not parsed", async (t) => {
  const check: RouteCheck = {
    body: {
      isRequired: true,
      types: new Map([
        ["application/json", onlyGood],
        ["text/csv", null],
      ]),
    },
  };
  const { inject } = await createListener(t, (router) =>
    addChecked(router, "post", check, async (e) => e.json(200, { value: await e.readText() })),
  );
  const response = await inject(post("a;b", { "content-type": "text/csv" }));
  assert.deepEqual([response.status, response.json()], [200, { value: "a;b" }]);
});

test("parameters are checked before the body is read", async (t) => {
  const check: RouteCheck = {
    parameters: (e) => (e.query("page") === "1" ? undefined : { page: problem }),
    ...bodyCheck(),
  };
  const { inject } = await createListener(t, (router) => addChecked(router, "post", check));
  const refused = await inject({ ...post("7"), url: "/?page=x" });
  assert.deepEqual([refused.status, refused.json<ErrorBody>().data], [400, { page: problem }]);
  assert.equal((await inject({ ...post('"good"'), url: "/?page=1" })).status, 200);
});

test("requests wait for a check that is not known yet", async (t) => {
  const { promise, resolve } = Promise.withResolvers<RouteCheck>();
  const { inject } = await createListener(t, (router) => addChecked(router, "post", () => promise));
  const waiting = inject(post("7"));
  resolve(bodyCheck());
  assert.equal((await waiting).status, 400);
});

test("a route without a check fails instead of accepting anything", async (t) => {
  const { inject, failures } = await createListener(t, (router) => addChecked(router, "post", undefined));
  assert.equal((await inject(post('"good"'))).status, 500);
  const { error } = await failures.find();
  assert.equal((error as { code?: string }).code, "CHECK_MISSING");
});

test("OPTIONS requests are not checked", async (t) => {
  const { inject } = await createListener(t, (router) => {
    router.bind(checked());
    router.post("/", echo);
  });
  assert.equal((await inject({ method: "OPTIONS", url: "/" })).status, 204);
});

test("files, which have no types, are not checked", async (t) => {
  const { inject } = await createListener(t, (router) => {
    router.bind(checked());
    router.get("/{path...}", staticFiles(import.meta.dirname));
  });
  assert.equal((await inject("/checked.test.ts")).status, 200);
});

test("other middleware rejects a request before it is checked", async (t) => {
  const { inject } = await createListener(t, (router) => {
    const refuse = (e: RequestEvent) => {
      throw e.error(401, "No.");
    };
    const route = router.post("/", echo).bind(checked()).bind(refuse) as unknown as { check: unknown };
    route.check = bodyCheck();
  });
  assert.equal((await inject(post("7"))).status, 401);
});
