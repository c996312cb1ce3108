import assert from "node:assert/strict";
import { describe, type TestContext, test } from "node:test";
import type { InjectRequest } from "../http/index.ts";
import type { AccessEvent } from "./index.ts";
import { createBrowser } from "./testing/browser.ts";
import { ada, createOwnedServer, createTestServer } from "./testing/server.ts";

const url = "/api/collections/_superusers/auth-with-password";
const wrong = { ...ada, password: "indifference" };
const headers = { "user-agent": "robot/1", "x-forwarded-for": "203.0.113.7" };
const program = { method: "POST", url, headers, remoteAddress: "10.0.0.1" } as const;

/** A server that collects what it reports; what happened before the test is left out. */
async function createReporting(t: TestContext, isOwned = true) {
  const events: AccessEvent[] = [];
  const options = { onAccess: (event: AccessEvent) => void events.push(event) };
  const server = await (isOwned ? createOwnedServer(t, options) : createTestServer(t, options));
  events.length = 0;
  const ask = (body: InjectRequest["body"]) => server.inject({ ...program, body });
  return { ...server, events, ask, browser: createBrowser(server, { address: "203.0.113.7" }) };
}

/** The events without where they came from. */
const plain = (events: AccessEvent[]) => events.map(({ origin, ...event }) => event);

describe("the access events", () => {
  test("of a sign-in name the account, the way and where it came from", async (t) => {
    const { events, ask, browser } = await createReporting(t);
    const response = await ask({ ...ada, identity: " ADA@example.com" });
    assert.deepEqual(events, [
      {
        kind: "sign-in",
        account: "ada@example.com",
        actor: "ada@example.com",
        detail: "by API",
        origin: { address: "203.0.113.7", agent: "robot/1", traceId: response.headers["x-trace-id"] },
      },
    ]);
    await browser.send("/_/sign-in", ada);
    assert.partialDeepStrictEqual(events[1], { kind: "sign-in", detail: "by form" });
  });

  test("of a failure name what was tried, and no password", async (t) => {
    const { events, ask, browser } = await createReporting(t);
    await ask(wrong);
    await browser.send("/_/sign-in", { ...wrong, identity: "Eve\u0000\u001b[31m@example.com" });
    await ask({ ...wrong, identity: "x".repeat(300) });
    assert.deepEqual(plain(events), [
      { kind: "sign-in-failed", account: "ada@example.com", detail: "by API" },
      { kind: "sign-in-failed", account: "eve[31m@example.com", detail: "by form" },
      { kind: "sign-in-failed", account: "x".repeat(254), detail: "by API" },
    ]);
    assert.doesNotMatch(JSON.stringify(events), /indifference/);
  });

  test("of a lockout say which limit it was; the client does not learn it", async (t) => {
    const { events, ask, browser, inject } = await createReporting(t);
    for (let count = 0; count < 5; count++) await ask(wrong);
    const refused = await ask(ada);
    for (let count = 0; count < 16; count++) await ask({ ...wrong, identity: `user${count}@example.com` });
    for (let host = 0; host < 10; host++) {
      const guess = { ...program, headers: { "x-forwarded-for": `198.51.100.${host}` }, body: wrong };
      for (let count = 0; count < 5; count++) await inject(guess);
    }
    browser.address = "192.0.2.1";
    await browser.send("/_/sign-in", ada);
    const details = plain(events)
      .filter(({ kind }) => kind === "lock-out")
      .map(({ detail }) => detail);
    assert.deepEqual(
      [...new Set(details)],
      [
        "more than 5 failed sign-ins for this account from this address",
        "more than 20 failed sign-ins from this address",
        "more than 50 failed sign-ins for this account",
      ],
    );
    assert.doesNotMatch(refused.body, /for this account/);
  });

  test("of a lockout of a known device name it", async (t) => {
    const { events, browser } = await createReporting(t);
    await browser.send("/_/sign-in", ada);
    for (let count = 0; count < 6; count++) await browser.send("/_/sign-in", wrong);
    assert.deepEqual(plain(events).at(-1), {
      kind: "lock-out",
      account: "ada@example.com",
      detail: "more than 5 failed sign-ins from this device",
    });
  });

  test("of a wrong current password say so", async (t) => {
    const { events, browser } = await createReporting(t);
    await browser.send("/_/sign-in", ada);
    const password = "analytical engine";
    await browser.send("/_/password", { oldPassword: "indifference", password, passwordConfirm: password });
    assert.deepEqual(plain(events).at(-1), {
      kind: "sign-in-failed",
      account: "ada@example.com",
      actor: "ada@example.com",
      detail: "wrong current password",
    });
  });

  test("of a wrong password for another account name the superuser who gave it", async (t) => {
    const { events, ask, inject, auth } = await createReporting(t);
    await auth.superusers.create("grace@example.com", "compiler bug");
    const { id } = (await auth.superusers.list()).find(({ email }) => email === "grace@example.com")!;
    const { token } = JSON.parse((await ask(ada)).body) as { token: string };
    await inject({
      method: "PATCH",
      url: `/api/collections/_superusers/records/${id}`,
      headers: { authorization: token },
      body: { password: "analytical engine", oldPassword: "indifference" },
    });
    assert.deepEqual(plain(events).at(-1), {
      kind: "sign-in-failed",
      account: "grace@example.com",
      actor: "ada@example.com",
      detail: "wrong current password",
    });
  });

  test("of the setup link: used, and invalid", async (t) => {
    const { events, browser, auth } = await createReporting(t, false);
    const link = new URL((await auth.createSetupLink("http://127.0.0.1"))!);
    const fields = { email: ada.identity, password: ada.password, passwordConfirm: ada.password };
    await browser.open("/_/?setup=wrong");
    await browser.open("/_/");
    await browser.open(link.pathname + link.search);
    await browser.send("/_/setup", { ...fields, setup: "wrong" });
    await browser.send("/_/setup", { ...fields, setup: link.searchParams.get("setup")! });
    assert.deepEqual(plain(events), [
      { kind: "sign-in-failed", detail: "invalid setup link" },
      { kind: "sign-in-failed", account: ada.identity, detail: "invalid setup link" },
      { kind: "superuser-added", account: ada.identity, actor: ada.identity },
      { kind: "setup-link-used", account: ada.identity, actor: ada.identity },
    ]);
    for (const { origin } of events) assert.equal(origin?.address, "203.0.113.7");
  });

  test("of changes by a program have no origin and no actor", async (t) => {
    const { events, auth } = await createReporting(t);
    await auth.superusers.create("grace@example.com", "compiler bug");
    await auth.superusers.changePassword("grace@example.com", "nanoseconds");
    await auth.superusers.remove("grace@example.com");
    const account = { account: "grace@example.com", actor: undefined, origin: undefined };
    assert.deepEqual(events, [
      { kind: "superuser-added", ...account },
      { kind: "password-changed", ...account },
      { kind: "superuser-removed", ...account },
    ]);
  });

  test("do not include requests that say nothing about credentials", async (t) => {
    const { events, ask, inject } = await createReporting(t);
    await ask({ ...ada, password: "" });
    await inject({ ...program, headers: { ...headers, "sec-fetch-site": "cross-site" }, body: wrong });
    assert.deepEqual(events, []);
  });
});
