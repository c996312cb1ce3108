import assert from "node:assert/strict";
import { describe, it, type TestContext } from "node:test";
import { createTestApp } from "../src/app/testing/test-app.ts";
import {
  cors,
  type OpenAPIDocument,
  type Router,
  rateLimit,
  requireAuth,
  securityHeaders,
} from "../src/index.ts";
import { until } from "../src/lib/testing/until.ts";

const origin = "https://app.example.com";

/** An API for a page of another origin, with sign-in by cookie. */
function registerShop(router: Router): void {
  router.use(securityHeaders({ frameOptions: "DENY" }));
  const api = router.setPrefix("/shop");
  api.use(cors({ origins: [origin], credentials: true }), rateLimit({ limit: 6, per: "1d", by: "identity" }));
  api.post("/login", (e) => {
    e.setCookie("session", "ada lovelace; 1815", { maxAge: 3_600 });
    e.setCookie("theme", "dark", { httpOnly: false });
    return e.noContent();
  });
  api.post("/logout", (e) => {
    e.clearCookie("session");
    return e.noContent();
  });
  api.get("/me", (e) => e.json(200, { id: e.auth!.id })).bind(requireAuth());
}

async function startShop(t: TestContext): Promise<string> {
  const app = createTestApp(t);
  app.authenticate((e) => {
    const id = e.cookie("session");
    return id === undefined ? null : { id };
  });
  app.onServe(({ router }) => registerShop(router));
  return (await app.start()).url;
}

function send(url: string, path: string, init: RequestInit = {}): Promise<Response> {
  return fetch(url + path, { ...init, headers: { origin, ...init.headers }, redirect: "manual" });
}

function headersOf(response: object | undefined): string[] {
  return Object.keys((response as { headers?: object }).headers ?? {}).sort();
}

describe("a shop with a page of another origin", () => {
  it("signs users in by cookie, and out again", async (t) => {
    const url = await startShop(t);
    const signedIn = await send(url, "/shop/login", { method: "POST" });
    const [session, theme] = signedIn.headers.getSetCookie();
    assert.equal(session, "session=ada%20lovelace%3B%201815; Path=/; Max-Age=3600; HttpOnly; SameSite=Lax");
    assert.equal(theme, "theme=dark; Path=/; SameSite=Lax");
    const cookie = `${theme!.split(";")[0]}; ${session!.split(";")[0]}`;
    const me = await send(url, "/shop/me", { headers: { cookie } });
    assert.deepEqual(await me.json(), { id: "ada lovelace; 1815" });
    const signedOut = await send(url, "/shop/logout", { method: "POST" });
    assert.deepEqual(signedOut.headers.getSetCookie(), [
      "session=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax",
    ]);
  });

  it("shows every error to the page, with the security headers", async (t) => {
    const url = await startShop(t);
    for (const [method, path, status] of [
      ["OPTIONS", "/shop/me", 204],
      ["GET", "/shop/me", 401],
      ["GET", "/shop/nothing", 404],
      ["PUT", "/shop/me", 405],
      ["POST", "/shop/logout", 204],
      ["POST", "/shop/logout", 204],
      ["POST", "/shop/logout", 204],
      ["POST", "/shop/logout", 429],
    ] as const) {
      const preflight = { "access-control-request-method": "GET" };
      const response = await send(url, path, { method, headers: method === "OPTIONS" ? preflight : {} });
      assert.equal(response.status, status, `${method} ${path}`);
      assert.equal(response.headers.get("access-control-allow-origin"), origin);
      assert.equal(response.headers.get("vary")?.split(", ")[0], "Origin");
      assert.equal(response.headers.get("x-frame-options"), "DENY");
    }
  });

  it("counts each user", async (t) => {
    const url = await startShop(t);
    for (const user of ["ada", "bob"]) {
      for (const remaining of [5, 4, 3]) {
        const { headers } = await send(url, "/shop/me", { headers: { cookie: `session=${user}` } });
        assert.match(headers.get("ratelimit")!, new RegExp(`^"6-per-1d";r=${remaining};t=\\d+$`));
      }
    }
  });

  it("does not change the pages and routes of Annex", async (t) => {
    const url = await startShop(t);
    for (const [path, status] of [
      ["/_/", 200],
      ["/_/nothing", 404],
      ["/api/health", 200],
      ["/api/docs/v1/swagger", 200],
      ["/api/docs/nothing/nothing", 404],
      ["/api/cron/jobs", 401],
      ["/api/cron/nothing", 401],
    ] as const) {
      const { status: found, headers } = await send(url, path, { headers: { accept: "text/html" } });
      assert.equal(found, status, path);
      assert.equal(headers.get("access-control-allow-origin"), null, path);
      assert.equal(headers.get("ratelimit"), null, path);
      assert.notEqual(headers.get("referrer-policy"), "no-referrer", path);
    }
  });

  it("has limits and cookies in its document, and neither CORS nor security headers", async (t) => {
    const url = await startShop(t);
    const read = async () => (await (await send(url, "/api/docs/v1/openapi.json")).json()) as OpenAPIDocument;
    // On a busy machine, the source may be read after the time that a client waits.
    const document = await until("the source is read", read, (each) => each["x-analysis"]?.level === "exact");
    const { responses, parameters } = document.paths["/shop/login"]!.post!;
    assert.equal(parameters, undefined);
    assert.deepEqual(Object.keys(responses), ["204", "429", "default"]);
    assert.deepEqual(headersOf(responses["204"]), ["RateLimit", "RateLimit-Policy", "Set-Cookie"]);
    assert.deepEqual(headersOf(responses["429"]), ["RateLimit", "RateLimit-Policy", "Retry-After"]);
  });
});

describe("two rate limits with the same name", () => {
  it("keep the application from starting", async (t) => {
    const app = createTestApp(t);
    app.onServe(({ router }) => {
      const limit = () => rateLimit({ limit: 1, per: "1m", name: "login" });
      router.get("/a", (e) => e.noContent()).bind(limit());
      router.get("/b", (e) => e.noContent()).bind(limit());
    });
    await assert.rejects(app.start(), {
      name: "RouteError",
      message: /^Two rate limits have the name "login"/,
    });
  });
});
