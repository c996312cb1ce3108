import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import BetterSqlite3 from "better-sqlite3";
import { createFolder, startProgram } from "./support/program.ts";

const guide = readFileSync(new URL("../docs/guides/users-with-passwords.md", import.meta.url), "utf8");
const library = new URL("../src/index.ts", import.meta.url).href;
const bob = { email: "Bob@example.com", password: "correct horse" };

interface Reply {
  readonly status: number;
  readonly body: Record<string, unknown>;
  /** The cookie that the response sets. */
  readonly cookie: string;
}

/** Starts the application of the guide. */
async function startGuide(t: TestContext) {
  const folder = createFolder(t);
  const [, code] = /```ts\n([\s\S]*?)```/.exec(guide)!;
  const entry = join(folder, "server.ts");
  // On a busy machine, the attempts of a test can take longer than a minute.
  const slow = code!.replace('per: "1m"', 'per: "1d"');
  assert.notEqual(slow, code);
  writeFileSync(entry, slow.replace('"annex"', JSON.stringify(library)));
  const program = startProgram(t, [entry], { cwd: folder, env: { SVC_PORT: "0" } });
  const [, url] = await program.says(/listening at (http:\/\/[\w.:]+)/);
  const send = async (path: string, body?: object, headers: Record<string, string> = {}): Promise<Reply> => {
    const init = body && { method: "POST", body: JSON.stringify(body) };
    const type: Record<string, string> = body ? { "content-type": "application/json" } : {};
    const response = await fetch(url + path, { ...init, headers: { ...type, ...headers } });
    const text = await response.text();
    const cookie = response.headers.getSetCookie().join();
    return { status: response.status, body: text === "" ? {} : JSON.parse(text), cookie };
  };
  return { folder, send };
}

describe("the guide about users with passwords", () => {
  it("signs users up, in and out", async (t) => {
    const { folder, send } = await startGuide(t);
    const created = await send("/sign-up", bob);
    assert.deepEqual([created.status, created.body.email], [201, "bob@example.com"]);
    assert.match(created.cookie, /^session=[\w-]{43}; .*HttpOnly.*SameSite=Lax/);
    const first = { cookie: created.cookie.split(";", 1)[0]! };
    assert.deepEqual((await send("/me", undefined, first)).body, created.body);
    assert.equal((await send("/me")).status, 401);

    const signedIn = await send("/sign-in", bob, first);
    assert.equal(signedIn.status, 200);
    const second = { cookie: signedIn.cookie.split(";", 1)[0]! };
    assert.equal((await send("/me", undefined, second)).status, 200);
    assert.equal((await send("/me", undefined, first)).status, 401, "a sign-in ends the session before it");

    const signedOut = await send("/sign-out", {}, second);
    assert.equal(signedOut.status, 204);
    assert.match(signedOut.cookie, /^session=; .*Max-Age=0/);
    assert.equal((await send("/me", undefined, second)).status, 401);

    const database = new BetterSqlite3(join(folder, "svc_data/annex.db"), { readonly: true });
    const rows = JSON.stringify(database.prepare("select * from users").all());
    database.close();
    assert.match(rows, /bob@example\.com/);
    assert.doesNotMatch(rows, /correct horse/);
  });

  it("refuses wrong passwords, second accounts, pages of other sites and too many attempts", async (t) => {
    const { send } = await startGuide(t);
    assert.equal((await send("/sign-up", bob)).status, 201);
    const again = await send("/sign-up", { ...bob, email: "bob@EXAMPLE.com" });
    assert.equal(again.status, 409);
    const wrong = await send("/sign-in", { ...bob, password: "wrong horse" });
    const unknown = await send("/sign-in", { ...bob, email: "eve@example.com" });
    assert.deepEqual([wrong.status, wrong.body.message], [401, "Invalid email address or password."]);
    assert.deepEqual([unknown.status, unknown.body.message], [wrong.status, wrong.body.message]);
    assert.equal(wrong.cookie + unknown.cookie, "");
    for (const body of [{}, { ...bob, password: "short" }, { ...bob, email: 5 }, { ...bob, password: [] }])
      assert.equal((await send("/sign-up", body)).status, 400);
    for (const site of ["cross-site", "same-site"])
      assert.equal((await send("/sign-out", {}, { "sec-fetch-site": site })).status, 403, site);
    assert.equal((await send("/sign-out", {}, { "sec-fetch-site": "same-origin" })).status, 204);
    assert.equal((await send("/sign-in", bob)).status, 200);
    assert.equal((await send("/sign-in", bob)).status, 200);
    assert.equal((await send("/sign-in", bob)).status, 429, "the eleventh attempt");
  });
});
