import assert from "node:assert/strict";
import { describe, type TestContext, test } from "node:test";
import { createBrowser } from "../testing/browser.ts";
import { ada, createOwnedServer, createTestServer } from "../testing/server.ts";
import { isCommonPassword } from "./common-passwords.ts";
import type { WeakPassword } from "./weak-passwords.ts";

const collection = "/api/collections/_superusers";

describe("the list of common passwords", () => {
  const common = ["password", "12345678", "qwertyuiop", "iloveyou", "p@ssw0rd", "admin123", "administrator"];
  for (const password of [...common, "PassWord", "ＰＡＳＳＷＯＲＤ", " password "]) {
    test(`contains ${JSON.stringify(password)}`, async () => {
      assert.equal(await isCommonPassword(password), true);
    });
  }

  for (const password of [
    "difference engine",
    "correct horse",
    "assword",
    "passwor",
    "",
    "password\n12345",
  ]) {
    test(`does not contain ${JSON.stringify(password)}`, async () => {
      assert.equal(await isCommonPassword(password), false);
    });
  }
});

const weak: [password: string, code: string][] = [
  ["password", "too_common"],
  ["Password123", "too_common"],
  ["charles.babbage", "same_as_email"],
  ["Charles.Babbage@example.com", "same_as_email"],
  ["charles.babbage1815", "same_as_email"],
  ["CharlesBabbage", "same_as_email"],
  ["1charles-babbage!", "same_as_email"],
  ["charles.babbage@example.com99", "same_as_email"],
  ["example.com", "same_as_email"],
  ["Example2026", "same_as_email"],
  ["aaaaaaaa", "too_simple"],
  ["        ", "too_simple"],
  ["abcabcabc", "too_simple"],
  ["1234123412", "too_simple"],
  ["Abc-Abc-Abc-", "too_simple"],
  ["23456789", "too_simple"],
  ["hgfedcba", "too_simple"],
  ["89012345", "too_simple"],
  ["asdfghjkl", "too_simple"],
  ["zxcvbnm,", "too_simple"],
  ["aaaabbbb", "too_simple"],
];
const accepted = [
  "charles likes tea",
  "example engine",
  "bananabread",
  "analytical",
  "correct horse",
  "a1a1b2b2c3",
];
const charles = "charles.babbage@example.com";

describe("a weak password is refused", () => {
  const codeOf = (response: { json<T>(): T }) =>
    response.json<{ data: { password?: { code: string } } }>().data.password?.code;

  for (const [password, code] of weak) {
    test(`over the API, with ${code}: ${password}`, async (t) => {
      const { inject, token, auth } = await createOwnedServer(t);
      const headers = { authorization: token };
      const add = {
        method: "POST",
        url: `${collection}/records`,
        headers,
        body: { email: charles, password },
      };
      const added = await inject(add);
      assert.equal(added.status, 400);
      assert.equal(codeOf(added), code);
      const { id } = await auth.superusers.create(charles, "compiler bug");
      const url = `${collection}/records/${id}`;
      const changed = await inject({ method: "PATCH", url, headers, body: { password } });
      assert.equal(codeOf(changed), code);
    });

    test(`by app.superusers, with ${code}: ${password}`, async (t) => {
      const { auth } = await createOwnedServer(t);
      const isRefused = ({ data }: { data: object }) => {
        assert.partialDeepStrictEqual(data, { password: { code } });
        return true;
      };
      await assert.rejects(auth.superusers.create(charles, password), isRefused);
      await auth.superusers.create(charles, "compiler bug");
      await assert.rejects(auth.superusers.changePassword(charles, password), isRefused);
    });
  }

  for (const password of accepted) {
    test(`but not ${password}`, async (t) => {
      const { auth } = await createOwnedServer(t);
      assert.equal((await auth.superusers.create(charles, password)).email, charles);
    });
  }

  test("on the setup page, which keeps its link", async (t) => {
    const server = await createTestServer(t);
    const link = new URL((await server.auth.createSetupLink("http://127.0.0.1"))!);
    const setup = link.searchParams.get("setup")!;
    const browser = createBrowser(server);
    const send = (password: string) =>
      browser.send("/_/setup", { setup, email: charles, password, passwordConfirm: password });
    const refused = await send("password");
    assert.equal(refused.status, 400);
    assert.match(refused.body, /id="setup-password-problem">This password is too common/);
    assert.equal((await send("compiler bug")).status, 303);
  });

  test("on the account page", async (t) => {
    const browser = createBrowser(await createOwnedServer(t));
    await browser.send("/_/sign-in", ada);
    const change = { oldPassword: ada.password, password: "password", passwordConfirm: "password" };
    const refused = await browser.send("/_/password", change);
    assert.equal(refused.status, 400);
    assert.match(refused.body, /id="password-password-problem">This password is too common/);
    const add = { email: charles, password: "password", passwordConfirm: "password" };
    assert.match(
      (await browser.send("/_/superusers", add)).body,
      /id="add-password-problem">This password is/,
    );
  });
});

describe("in development a weak password", () => {
  async function createLenient(t: TestContext) {
    const warnings: WeakPassword[] = [];
    const onWeakPassword = (warning: WeakPassword) => void warnings.push(warning);
    return { ...(await createTestServer(t, { onWeakPassword })), warnings };
  }

  test("is accepted and reported without the password", async (t) => {
    const { auth, warnings } = await createLenient(t);
    await auth.superusers.create(charles, "Password123");
    await auth.superusers.changePassword(charles, charles);
    assert.deepEqual(warnings, [
      { email: charles, reason: "too_common" },
      { email: charles, reason: "same_as_email" },
    ]);
  });

  test("must still be long enough", async (t) => {
    const { auth, warnings } = await createLenient(t);
    await assert.rejects(auth.superusers.create(charles, "qwerty"), { code: "INVALID_FIELDS" });
    assert.deepEqual(warnings, []);
  });
});

test("a superuser whose password has become too common can still sign in", async (t) => {
  const lenient = await createTestServer(t, { onWeakPassword: () => {} });
  await lenient.auth.superusers.create(charles, "password");
  const { database: store, clock, hasher } = lenient;
  const { inject } = await createTestServer(t, { store, clock, hasher });
  const body = { identity: charles, password: "password" };
  const response = await inject({ method: "POST", url: `${collection}/auth-with-password`, body });
  assert.equal(response.status, 200);
});
