import assert from "node:assert/strict";
import { describe, type TestContext, test } from "node:test";
import type { Database, Engine } from "../../storage/index.ts";
import { engines } from "../../storage/testing/test-database.ts";
import { createPasswords, type Passwords } from "../passwords/passwords.ts";
import { createTokens } from "../sessions/tokens.ts";
import { createValidTokens } from "../sessions/valid-tokens.ts";
import type { AuthTables } from "../tables.ts";
import { createTestClock, createTestHasher, openTestDatabase } from "../testing/server.ts";
import type { AccountChange } from "./account-change.ts";
import { createAccounts } from "./accounts.ts";
import { createSetupLinks } from "./setup-links.ts";
import { createSuperusers } from "./superusers.ts";

const password = "difference engine";

function createParts(store: Database, passwords = createPasswords(createTestHasher())) {
  const clock = createTestClock();
  const database = async () => store;
  const changes: AccountChange[] = [];
  const onChange = (change: AccountChange) => void changes.push(change);
  const accounts = createAccounts({ database, clock, passwords, onChange });
  const validTokens = createValidTokens({ database, clock, idleMs: undefined });
  const tokens = createTokens({ database, clock, validTokens, ttlMs: { token: 10_000, session: 20_000 } });
  const setupLinks = createSetupLinks({ database, clock, accounts, ttlMs: 30_000, onChange });
  const rows = (table: keyof AuthTables) =>
    store.tables<AuthTables>().selectFrom(table).selectAll().execute();
  return { clock, changes, accounts, tokens, setupLinks, rows, superusers: createSuperusers(accounts) };
}

/** Lets nobody on before so many have come, so that what follows happens at once. */
function gathering(count: number): Passwords {
  const { promise: complete, resolve } = Promise.withResolvers<void>();
  const hash = async (text: string) => {
    if (--count === 0) resolve();
    await complete;
    return text;
  };
  return { hash, verify: async () => false };
}

const open = async (t: TestContext, engine: Engine) => createParts(await openTestDatabase(t, engine));

for (const engine of engines) {
  describe(`superusers on ${engine}`, () => {
    test("are created under one spelling of their email, and listed by it", async (t) => {
      const { superusers, clock } = await open(t, engine);
      const grace = await superusers.create(" Grace@Example.com ", password);
      const ada = await superusers.create("ada@example.com", password);
      assert.match(ada.id, /^[a-z0-9]{15}$/);
      assert.deepEqual(ada, {
        id: ada.id,
        email: "ada@example.com",
        created: new Date(clock.now()),
        updated: new Date(clock.now()),
      });
      assert.deepEqual(await superusers.list(), [ada, grace]);
    });

    test("have a unique email, even if two are created concurrently", async (t) => {
      const { superusers } = await open(t, engine);
      const emails = ["ada@example.com", "ADA@example.com", " ada@example.com"];
      const outcomes = await Promise.allSettled(emails.map((email) => superusers.create(email, password)));
      const refused = outcomes.flatMap((outcome) => (outcome.status === "rejected" ? [outcome.reason] : []));
      assert.deepEqual(
        refused.map(({ code, data }) => [code, data.email.code]),
        [
          ["SUPERUSER_EXISTS", "not_unique"],
          ["SUPERUSER_EXISTS", "not_unique"],
        ],
      );
      assert.equal((await superusers.list()).length, 1);
    });

    test("are not created from bad values", async (t) => {
      const { superusers } = await open(t, engine);
      await assert.rejects(superusers.create("ada", password), { code: "INVALID_FIELDS" });
      await assert.rejects(superusers.create("ada@example.com", ""), { code: "INVALID_FIELDS" });
      assert.deepEqual(await superusers.list(), []);
    });

    test("are unknown by any other email, and nothing else happens", async (t) => {
      const { superusers } = await open(t, engine);
      for (const email of ["eve@example.com", "", "a\0@b"]) {
        await assert.rejects(superusers.changePassword(email, password), { code: "SUPERUSER_UNKNOWN" });
        await assert.rejects(superusers.remove(email), { code: "SUPERUSER_UNKNOWN" });
      }
    });

    test("a new password ends every token but the one it was changed with", async (t) => {
      const { accounts, tokens, superusers, rows } = await open(t, engine);
      const ada = await accounts.create("ada@example.com", password);
      const grace = await accounts.create("grace@example.com", password);
      const [kept, ended, others] = [
        (await tokens.issue(ada, "session")).text,
        (await tokens.issue(ada, "token")).text,
        (await tokens.issue(grace, "token")).text,
      ];
      const { tokenHash } = (await tokens.find(kept, "session"))!;
      await accounts.changePassword(ada.id, "analytical engine", {
        actor: "ada@example.com",
        keptToken: tokenHash,
      });
      assert.ok(await tokens.find(kept, "session"));
      assert.ok(await tokens.find(others, "token"));
      assert.equal(await tokens.find(ended, "token"), undefined);
      await superusers.changePassword("ada@example.com", password);
      assert.equal(await tokens.find(kept, "session"), undefined);
      assert.equal((await rows("annex_tokens")).length, 1);
    });

    test("a token that is issued while the password changes is worth nothing", async (t) => {
      const { accounts, tokens } = await open(t, engine);
      const signingIn = await accounts.create("ada@example.com", password);
      await accounts.changePassword(signingIn.id, "analytical engine");
      const { text } = await tokens.issue(signingIn, "token");
      assert.equal(await tokens.find(text, "token"), undefined);
    });

    test("each change is reported once it is committed, with who made it and from where", async (t) => {
      const { accounts, changes, superusers, setupLinks } = await open(t, engine);
      const [, secret = ""] = (await setupLinks.create("http://127.0.0.1"))!.split("setup=");
      const origin = { address: "203.0.113.7", agent: "Firefox", traceId: "1" };
      const ada = await setupLinks.claim(secret, "ada@example.com", password, origin);
      const by = { actor: ada.email, origin };
      const eve = await accounts.create("Eve@example.com", password, by);
      await assert.rejects(accounts.create("eve@example.com", password, by));
      await accounts.changePassword(eve.id, "analytical engine", { ...by, keptToken: "" });
      await superusers.changePassword("eve@example.com", password);
      await accounts.remove(eve.id, by);
      await assert.rejects(accounts.remove(ada.id, by));
      assert.deepEqual(changes, [
        { kind: "superuser-add", email: "ada@example.com", ...by },
        { kind: "superuser-add", email: "eve@example.com", ...by },
        { kind: "password", email: "eve@example.com", ...by },
        { kind: "password", email: "eve@example.com", actor: undefined, origin: undefined },
        { kind: "superuser-remove", email: "eve@example.com", ...by },
      ]);
    });

    test("their tokens are counted while they are good", async (t) => {
      const { accounts, tokens, clock } = await open(t, engine);
      const ada = await accounts.create("ada@example.com", password);
      await tokens.issue(ada, "session");
      await tokens.issue(ada, "token");
      await tokens.issue(ada, "token");
      await tokens.issue({ id: ada.id, generation: ada.generation - 1 }, "token");
      assert.deepEqual([await tokens.count("session"), await tokens.count("token")], [1, 2]);
      clock.advance(10_000);
      assert.deepEqual([await tokens.count("session"), await tokens.count("token")], [1, 0]);
    });

    test("removing one ends their tokens", async (t) => {
      const { accounts, tokens, superusers, rows } = await open(t, engine);
      await accounts.create("ada@example.com", password);
      const { text } = await tokens.issue(await accounts.create("eve@example.com", password), "token");
      await superusers.remove("Eve@example.com");
      assert.equal(await tokens.find(text, "token"), undefined);
      assert.deepEqual(await rows("annex_tokens"), []);
    });

    test("the last one stays, even if all of them remove each other concurrently", async (t) => {
      const { superusers } = await open(t, engine);
      const emails = ["a@example.com", "b@example.com", "c@example.com", "d@example.com"];
      for (const email of emails) await superusers.create(email, password);
      const outcomes = await Promise.allSettled(emails.map((email) => superusers.remove(email)));
      const refused = outcomes.flatMap((outcome) =>
        outcome.status === "rejected" ? [outcome.reason.code] : [],
      );
      assert.deepEqual(refused, ["LAST_SUPERUSER"]);
      assert.equal((await superusers.list()).length, 1);
    });
  });

  describe(`tokens on ${engine}`, () => {
    test("are found as what they are, until they expire", async (t) => {
      const { accounts, tokens, clock } = await open(t, engine);
      const { passwordHash, generation, ...superuser } = await accounts.create("ada@example.com", password);
      const account = { ...superuser, passwordHash, generation };
      const { text } = await tokens.issue(account, "token");
      const session = await tokens.issue(account, "session");
      assert.deepEqual((await tokens.find(text, "token"))?.superuser, superuser);
      assert.equal(await tokens.find(text, "session"), undefined);
      assert.equal(await tokens.find(session.text, "token"), undefined);
      assert.equal(await tokens.find(`${text} `, "token"), undefined);
      clock.advance(9_999);
      assert.ok(await tokens.find(text, "token"));
      clock.advance(1);
      assert.equal(await tokens.find(text, "token"), undefined);
      assert.ok(await tokens.find(session.text, "session"));
    });

    test("are not in the store, only their digests are", async (t) => {
      const { accounts, tokens, rows } = await open(t, engine);
      const { text } = await tokens.issue(await accounts.create("ada@example.com", password), "token");
      const stored = JSON.stringify(await rows("annex_tokens"));
      assert.ok(!stored.includes(text.split(".")[2]!));
    });

    test("that are over are cleared away by those that come", async (t) => {
      const { accounts, tokens, clock, rows } = await open(t, engine);
      const account = await accounts.create("ada@example.com", password);
      for (let count = 0; count < 150; count++) await tokens.issue(account, "token");
      clock.advance(10_000);
      await tokens.issue(account, "token");
      assert.equal((await rows("annex_tokens")).length, 51);
      await tokens.issue(account, "token");
      assert.equal((await rows("annex_tokens")).length, 2);
    });
  });

  describe(`the set-up link on ${engine}`, () => {
    const secretOf = (link: string | undefined) => new URL(link!).searchParams.get("setup")!;

    test("leads to the first superuser and is over then", async (t) => {
      const { setupLinks, superusers, rows } = await open(t, engine);
      const link = await setupLinks.create("http://127.0.0.1:8090");
      assert.match(link!, /^http:\/\/127\.0\.0\.1:8090\/_\/\?setup=[\w-]{43}$/);
      const secret = secretOf(link);
      assert.ok(!JSON.stringify(await rows("annex_setup_links")).includes(secret));
      assert.equal(await setupLinks.isValid("wrong"), false);
      assert.equal(await setupLinks.isValid(secret), true);
      await assert.rejects(setupLinks.claim("wrong", "eve@example.com", password), {
        code: "SETUP_LINK_VOID",
      });
      await assert.rejects(setupLinks.claim(secret, "ada", "short"), { code: "INVALID_FIELDS" });
      await setupLinks.claim(secret, "ada@example.com", password);
      assert.equal(await setupLinks.isValid(secret), false);
      await assert.rejects(setupLinks.claim(secret, "eve@example.com", password), {
        code: "SETUP_LINK_VOID",
      });
      assert.equal(await setupLinks.create("http://127.0.0.1:8090"), undefined);
      assert.deepEqual(
        (await superusers.list()).map(({ email }) => email),
        ["ada@example.com"],
      );
    });

    test("is claimed once, also by many at once with the links of several instances", async (t) => {
      const { setupLinks, superusers } = createParts(await openTestDatabase(t, engine), gathering(10));
      const links = [await setupLinks.create("http://one:1"), await setupLinks.create("http://two:2")];
      const claims = Array.from({ length: 10 }, (_, index) =>
        setupLinks.claim(secretOf(links[index % 2]), `a${index}@example.com`, password),
      );
      const outcomes = await Promise.allSettled(claims);
      assert.equal(outcomes.filter(({ status }) => status === "fulfilled").length, 1);
      assert.equal((await superusers.list()).length, 1);
    });

    test("expires", async (t) => {
      const { setupLinks, clock, rows } = await open(t, engine);
      const secret = secretOf(await setupLinks.create("http://127.0.0.1:8090"));
      clock.advance(30_000);
      assert.equal(await setupLinks.isValid(secret), false);
      await assert.rejects(setupLinks.claim(secret, "ada@example.com", password), {
        code: "SETUP_LINK_VOID",
      });
      await setupLinks.create("http://127.0.0.1:8090");
      assert.equal((await rows("annex_setup_links")).length, 1);
    });

    test("is void once a superuser exists, however it was created", async (t) => {
      const { setupLinks, superusers, rows } = await open(t, engine);
      const secret = secretOf(await setupLinks.create("http://127.0.0.1:8090"));
      await superusers.create("ada@example.com", password);
      assert.deepEqual(await rows("annex_setup_links"), []);
      assert.equal(await setupLinks.isValid(secret), false);
      await assert.rejects(setupLinks.claim(secret, "eve@example.com", password), {
        code: "SETUP_LINK_VOID",
      });
    });
  });
}
