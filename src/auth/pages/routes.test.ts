import assert from "node:assert/strict";
import { describe, type TestContext, test } from "node:test";
import { createBrowser } from "../testing/browser.ts";
import { ada, createOwnedServer, createTestServer, type TestServer } from "../testing/server.ts";

const sameOrigin = { "sec-fetch-site": "same-origin" };

async function createSignedIn(t: TestContext) {
  const server = await createOwnedServer(t);
  const browser = createBrowser(server);
  await browser.send("/_/sign-in", ada);
  return { ...server, ...browser };
}

describe("signing in", () => {
  test("the page is a form, under the policy of all our pages", async (t) => {
    const { open } = createBrowser(await createOwnedServer(t));
    const page = await open("/_/");
    assert.equal(page.status, 200);
    assert.match(page.body, /<h1>Sign in<\/h1>/);
    assert.doesNotMatch(page.body, /<script|<style|style=|onclick=/);
    assert.match(page.headers["content-security-policy"] as string, /default-src 'none'/);
    assert.equal(page.headers["cache-control"], "no-store");
    assert.equal(page.headers["x-frame-options"], "DENY");
  });

  test("sets a cookie that scripts and other sites cannot use", async (t) => {
    const { send, open } = createBrowser(await createOwnedServer(t));
    const response = await send("/_/sign-in", ada);
    assert.equal(response.status, 303);
    assert.equal(response.headers.location, "/_/");
    assert.match(
      response.headers["set-cookie"]![0]!,
      /^annex_session_80=[\w-]{43}; Path=\/; Max-Age=604800; HttpOnly; SameSite=Strict$/,
    );
    assert.match((await open("/_/")).body, /signed in as <strong>ada@example.com<\/strong>/);
  });

  test("over TLS at a trusted proxy the cookie is for TLS and this host only", async (t) => {
    const { inject } = await createOwnedServer(t);
    const response = await inject({
      method: "POST",
      url: "/_/sign-in",
      headers: { ...sameOrigin, "x-forwarded-proto": "https" },
      remoteAddress: "10.0.0.1",
      body: new URLSearchParams(ada),
    });
    assert.match(
      response.headers["set-cookie"]![0]!,
      /^__Host-annex_session=.+; Path=\/; Max-Age=604800; HttpOnly; SameSite=Strict; Secure$/,
    );
  });

  test("a refusal keeps the email and says why, in one way for all", async (t) => {
    const { send } = createBrowser(await createOwnedServer(t));
    const [wrong, unknown] = [
      await send("/_/sign-in", { ...ada, password: "indifference" }),
      await send("/_/sign-in", { ...ada, identity: "eve@example.com" }),
    ];
    assert.equal(wrong.status, 400);
    assert.match(wrong.body, /role="alert">Invalid email or password\./);
    assert.match(wrong.body, /value="ada@example.com"/);
    assert.doesNotMatch(wrong.body, /indifference/);
    assert.equal(wrong.headers["set-cookie"], undefined);
    assert.equal(unknown.status, 400);
    assert.equal(unknown.body, wrong.body.replace("ada@example.com", "eve@example.com"));
  });

  test("an empty and an endless password are marked at their field", async (t) => {
    const { send } = createBrowser(await createOwnedServer(t));
    for (const password of ["", "x".repeat(10_240)]) {
      const { status, body } = await send("/_/sign-in", { ...ada, password });
      assert.equal(status, 400);
      assert.match(body, /aria-invalid="true" aria-describedby="sign-in-password-problem" autofocus/);
    }
  });

  test("too many failures: the page says how long, and so does the header", async (t) => {
    const { send } = createBrowser(await createOwnedServer(t));
    for (let count = 0; count < 5; count++) await send("/_/sign-in", { ...ada, password: "indifference" });
    const { status, headers, body } = await send("/_/sign-in", ada);
    assert.equal(status, 429);
    assert.equal(headers["retry-after"], "900");
    assert.match(body, /Try again in 15 minutes/);
  });

  test("what was entered is shown as text", async (t) => {
    const { send } = createBrowser(await createOwnedServer(t));
    const identity = `"><script>alert(1)</script>@example.com`;
    const { body } = await send("/_/sign-in", { ...ada, identity, next: `/"><script>` });
    assert.doesNotMatch(body, /<script/);
    assert.match(body, /&#34;&#62;&#60;script&#62;alert/);
  });

  test("leads to where the person was going, on this server only", async (t) => {
    const server = await createOwnedServer(t);
    for (const [next, location] of [
      ["/_/_?tab=jobs", "/_/_?tab=jobs"],
      ["//evil.example", "/_/"],
      ["/\\evil.example", "/_/"],
      ["https://evil.example", "/_/"],
      ["/a\r\nSet-Cookie: b=c", "/_/"],
    ] as const) {
      const { open, send } = createBrowser(server);
      const page = await open(`/_/?next=${encodeURIComponent(next)}`);
      assert.ok(page.body.includes(`name="next" value="${location}"`));
      assert.equal((await send("/_/sign-in", { ...ada, next })).headers.location, location);
    }
  });

  test("redirects visitors who are already signed in", async (t) => {
    const { open } = await createSignedIn(t);
    const response = await open("/_/?next=%2F_%2F_");
    assert.equal(response.status, 303);
    assert.equal(response.headers.location, "/_/_");
    assert.equal((await open("/_/?next=%2F%2Fevil.example")).status, 200);
  });

  test("another site cannot start a sign-in", async (t) => {
    const { send } = createBrowser(await createOwnedServer(t));
    for (const headers of [{ "sec-fetch-site": "cross-site" }, { origin: "http://evil.example" }, {}]) {
      const response = await send("/_/sign-in", ada, headers as Record<string, string>);
      assert.equal(response.status, 403);
      assert.equal(response.headers["set-cookie"], undefined);
    }
  });

  test("signing in again ends the session before", async (t) => {
    const { send, cookie, inject } = await createSignedIn(t);
    const before = cookie();
    await send("/_/sign-in", ada);
    assert.notEqual(cookie(), before);
    const page = await inject({ url: "/_/", headers: { cookie: before } });
    assert.match(page.body, /<h1>Sign in/);
  });

  test("signing out ends the session, not only the cookie", async (t) => {
    const { send, open, cookie, inject } = await createSignedIn(t);
    const before = cookie();
    const response = await send("/_/sign-out", {});
    assert.equal(response.status, 303);
    assert.match(response.headers["set-cookie"]![0]!, /^annex_session_80=; Path=\/; Max-Age=0; HttpOnly/);
    assert.match((await open(response.headers.location!)).body, /role="status">You are signed out\./);
    const page = await inject({ url: "/_/", headers: { cookie: before } });
    assert.match(page.body, /<h1>Sign in/);
  });

  test("a session expires", async (t) => {
    const { open, clock } = await createSignedIn(t);
    clock.advance(7 * 86_400_000);
    assert.match((await open("/_/")).body, /<h1>Sign in/);
  });
});

describe("the first superuser", () => {
  const grace = { email: "grace@example.com", password: "compiler bug", passwordConfirm: "compiler bug" };

  async function createFresh(t: TestContext) {
    const server = await createTestServer(t);
    const link = new URL((await server.auth.createSetupLink("http://127.0.0.1"))!);
    return { ...server, ...createBrowser(server), link, setup: link.searchParams.get("setup")! };
  }

  test("a fresh server cannot be claimed without the link", async (t) => {
    const { open, send, auth } = await createFresh(t);
    const page = await open("/_/");
    assert.match(page.body, /no superuser yet/);
    assert.match(page.body, /annex superuser create/);
    assert.doesNotMatch(page.body, /<form/);
    assert.match((await open("/_/?setup=wrong")).body, /no longer valid/);
    for (const setup of ["", "wrong"])
      assert.equal((await send("/_/setup", { ...grace, setup })).status, 400);
    assert.equal((await send("/_/sign-in", ada)).status, 400);
    assert.deepEqual(await auth.superusers.list(), []);
  });

  test("is created with the link and signed in", async (t) => {
    const { open, send, link, setup } = await createFresh(t);
    const page = await open(link.pathname + link.search);
    assert.match(page.body, /Create the first superuser/);
    const response = await send("/_/setup", { ...grace, setup });
    assert.equal(response.status, 303);
    assert.match((await open(response.headers.location!)).body, /signed in as <strong>grace@example.com/);
  });

  test("the form is shown again with its errors", async (t) => {
    const { send, setup } = await createFresh(t);
    const { status, body } = await send("/_/setup", {
      setup,
      email: "grace",
      password: "short",
      passwordConfirm: "",
    });
    assert.equal(status, 400);
    for (const field of ["email", "password", "passwordConfirm"])
      assert.ok(body.includes(`id="setup-${field}-problem"`));
    assert.ok(body.includes(`name="setup" value="${setup}"`));
    assert.doesNotMatch(body, /value="short"/);
  });

  test("with two concurrent claims, one succeeds and the other shows the sign-in page", async (t) => {
    const { send, setup, auth } = await createFresh(t);
    const tabs = ["grace", "eve"].map((name) =>
      send("/_/setup", { ...grace, setup, email: `${name}@example.com` }),
    );
    const responses = await Promise.all(tabs);
    assert.deepEqual(responses.map(({ status }) => status).sort(), [303, 400]);
    assert.match(responses.find(({ status }) => status === 400)!.body, /<h1>Sign in/);
    assert.equal((await auth.superusers.list()).length, 1);
  });

  test("another site cannot use the form", async (t) => {
    const { send, setup } = await createFresh(t);
    assert.equal(
      (await send("/_/setup", { ...grace, setup }, { origin: "http://evil.example" })).status,
      403,
    );
  });
});

describe("the account page", () => {
  const grace = { email: "grace@example.com", password: "compiler bug", passwordConfirm: "compiler bug" };

  test("shows who there is as text", async (t) => {
    const { auth, open } = await createSignedIn(t);
    await auth.superusers.create("<img/src=x/onerror=alert(1)>@example.com", ada.password);
    const { body } = await open("/_/");
    assert.doesNotMatch(body, /<img\/src/);
    assert.match(body, /&#60;img\/src=x/);
  });

  test("adds a superuser, and reports invalid input", async (t) => {
    const { send, open } = await createSignedIn(t);
    const refused = await send("/_/superusers", { ...grace, email: "ADA@example.com" });
    assert.equal(refused.status, 400);
    assert.match(refused.body, /<details open>/);
    assert.match(refused.body, /Superuser &#34;ada@example.com&#34; already exists/);
    const response = await send("/_/superusers", grace);
    assert.equal(response.status, 303);
    const { body } = await open(response.headers.location!);
    assert.match(body, /role="status">Superuser added/);
    assert.match(body, /<li><span>grace@example.com<\/span>/);
  });

  test("removes one after asking", async (t) => {
    const { auth, send, open } = await createSignedIn(t);
    const { id } = await auth.superusers.create(grace.email, grace.password);
    const url = `/_/superusers/${id}/remove`;
    assert.match((await open("/_/")).body, new RegExp(`href="${url}"`));
    assert.match((await open(url)).body, /Remove this superuser\?.*grace@example.com/s);
    assert.equal((await send(url, {}, { origin: "http://evil.example" })).status, 403);
    assert.equal((await auth.superusers.list()).length, 2);
    assert.equal((await send(url, {})).headers.location, "/_/?done=removed");
    assert.equal((await auth.superusers.list()).length, 1);
    assert.equal((await open(url)).status, 404);
  });

  test("changes the password with the current one, and signs out everywhere else", async (t) => {
    const { send, open, inject, token, ...server } = await createSignedIn(t);
    const elsewhere = createBrowser({ inject, ...server } as TestServer);
    await elsewhere.send("/_/sign-in", ada);
    const password = "analytical engine";
    const change = { oldPassword: ada.password, password, passwordConfirm: password };
    for (const [fields, field] of [
      [{ ...change, oldPassword: "indifference" }, "oldPassword"],
      [{ ...change, oldPassword: "" }, "oldPassword"],
      [{ ...change, password: "short" }, "password"],
      [{ ...change, passwordConfirm: "x" }, "passwordConfirm"],
    ] as const) {
      const refused = await send("/_/password", fields);
      assert.equal(refused.status, 400);
      assert.ok(refused.body.includes(`id="password-${field}-problem"`), field);
    }
    const response = await send("/_/password", change);
    assert.equal(response.headers.location, "/_/?done=password");
    assert.match((await open("/_/")).body, /signed in as/);
    assert.match((await elsewhere.open("/_/")).body, /<h1>Sign in/);
    const { status } = await inject({
      url: "/api/collections/_superusers/records",
      headers: { authorization: token },
    });
    assert.equal(status, 401);
  });

  test("guessing the current password is throttled like signing in", async (t) => {
    const { send } = await createSignedIn(t);
    const guess = {
      oldPassword: "indifference",
      password: "analytical engine",
      passwordConfirm: "analytical engine",
    };
    for (let count = 0; count < 5; count++) assert.equal((await send("/_/password", guess)).status, 400);
    const { status, body } = await send("/_/password", guess);
    assert.equal(status, 429);
    assert.match(body, /role="alert">Too many/);
  });

  test("adding and removing asks for the password ten minutes after the sign-in", async (t) => {
    const { send, open, auth, clock } = await createSignedIn(t);
    const password = "compiler bug";
    const grace = { email: "grace@example.com", password, passwordConfirm: password };
    assert.doesNotMatch((await open("/_/")).body, /name="currentPassword"/);
    clock.advance(10 * 60_000);
    assert.match((await open("/_/")).body, /id="add-currentPassword"/);
    for (const currentPassword of ["", "indifference"]) {
      const refused = await send("/_/superusers", { ...grace, currentPassword });
      assert.equal(refused.status, 400);
      assert.match(refused.body, /id="add-currentPassword-problem"/);
      assert.match(refused.body, /value="grace@example.com"/);
    }
    assert.equal((await auth.superusers.list()).length, 1);
    const added = await send("/_/superusers", { ...grace, currentPassword: ada.password });
    assert.equal(added.headers.location, "/_/?done=added");

    const { id } = (await auth.superusers.list()).find(({ email }) => email === grace.email)!;
    const url = `/_/superusers/${id}/remove`;
    assert.match((await open(url)).body, /id="remove-currentPassword"/);
    for (const fields of [{}, { currentPassword: "" }, { currentPassword: "indifference" }]) {
      const refused = await send(url, fields as Record<string, string>);
      assert.equal(refused.status, 400);
      assert.match(refused.body, /id="remove-currentPassword-problem"/);
    }
    const removed = await send(url, { currentPassword: ada.password });
    assert.equal(removed.headers.location, "/_/?done=removed");
    assert.equal((await auth.superusers.list()).length, 1);
  });

  test("lists one's own sessions and tokens, and ends them", async (t) => {
    const server = await createSignedIn(t);
    const { send, open, clock } = server;
    const elsewhere = createBrowser(server);
    await elsewhere.send("/_/sign-in", ada);
    clock.advance(3 * 3_600_000);
    const { body } = await open("/_/");
    assert.equal(body.match(/This session/g)?.length, 1);
    assert.match(body, /API token/);
    assert.match(body, /3 hours ago/);
    const ends = [...body.matchAll(/action="(\/_\/sessions\/[\w-]+\/end)"/g)].map(([, path]) => path!);
    assert.equal(ends.length, 2);
    const crossSite = { origin: "http://evil.example" };
    assert.equal((await send(ends[0]!, {}, crossSite)).status, 403);
    assert.equal((await send("/_/sessions/end-others", {}, crossSite)).status, 403);
    for (const url of ends) assert.equal((await send(url, {})).headers.location, "/_/?done=ended");
    assert.match((await elsewhere.open("/_/")).body, /<h1>Sign in/);
    assert.equal((await send(ends[0]!, {})).headers.location, "/_/?done=ended");
    assert.doesNotMatch((await open("/_/")).body, /sessions\/[\w-]+\/end|End all others/);

    await elsewhere.send("/_/sign-in", ada);
    assert.match((await open("/_/")).body, /End all others/);
    assert.equal((await send("/_/sessions/end-others", {})).headers.location, "/_/?done=ended-others");
    assert.match((await elsewhere.open("/_/")).body, /<h1>Sign in/);
    assert.match((await open("/_/?done=ended-others")).body, /All other sessions and tokens ended/);
  });

  test("shows fifty sessions at most", async (t) => {
    const { open, inject } = await createSignedIn(t);
    const url = "/api/collections/_superusers/auth-with-password";
    for (let count = 0; count < 60; count++) await inject({ method: "POST", url, body: ada });
    const { body } = await open("/_/");
    assert.match(body, /12 more, used less recently, are not shown/);
  });

  test("redirects visitors who are not signed in to the sign-in page", async (t) => {
    const { open, send } = createBrowser(await createOwnedServer(t));
    for (const url of [
      "/_/password",
      "/_/superusers",
      "/_/superusers/x/remove",
      "/_/sessions/x/end",
      "/_/sessions/end-others",
    ]) {
      const response = await send(url, {});
      assert.equal(response.status, 303, url);
      assert.equal(response.headers.location, "/_/");
    }
    const response = await open("/_/superusers/x/remove");
    assert.equal(response.headers.location, "/_/?next=%2F_%2Fsuperusers%2Fx%2Fremove");
  });
});

describe("addresses around the pages", () => {
  for (const [url, location] of [
    ["/_", "/_/"],
    ["/_/sign-in", "/_/"],
    ["/_/setup", "/_/"],
  ] as const) {
    test(`${url} leads to ${location}`, async (t) => {
      const { open } = createBrowser(await createOwnedServer(t));
      const response = await open(url);
      assert.equal(response.status, 302);
      assert.equal(response.headers.location, location);
    });
  }

  for (const [name, type] of [
    ["pages.css", "text/css; charset=utf-8"],
    ["logo.svg", "image/svg+xml"],
  ] as const) {
    test(`${name} is served once and then confirmed`, async (t) => {
      const { inject } = await createTestServer(t);
      const url = `/_/assets/${name}`;
      const first = await inject({ url });
      assert.equal(first.status, 200);
      assert.equal(first.headers["content-type"], type);
      assert.equal(first.headers["cache-control"], "no-cache");
      const again = await inject({ url, headers: { "if-none-match": first.headers.etag } });
      assert.equal(again.status, 304);
      assert.equal(again.body, "");
      assert.equal((await inject({ url, headers: { "if-none-match": '"other"' } })).status, 200);
    });
  }

  test("nothing else of the folder is", async (t) => {
    const { inject } = await createTestServer(t);
    assert.equal((await inject({ url: "/_/assets/routes.ts" })).status, 404);
    assert.equal((await inject({ url: "/_/assets/..%2froutes.ts" })).status, 400);
  });
});
