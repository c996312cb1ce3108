import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { pathToFileURL } from "node:url";
import { gunzipSync } from "node:zlib";
import { createOwnedServer } from "../../auth/testing/server.ts";
import { systemClock } from "../../lib/time/clock.ts";
import { readDashboard } from "./client.ts";
import { mountDashboard } from "./routes.ts";
import { createViewStore } from "./views/store.ts";

const script = "export const hello = 1;\n".repeat(50);

/** A folder as written by the bundler, or an empty one. */
function createFolder(t: TestContext, isBuilt = true): URL {
  const folder = mkdtempSync(join(tmpdir(), "annex-client-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  if (isBuilt) build(folder);
  return pathToFileURL(`${folder}/`);
}

function build(folder: string): void {
  mkdirSync(folder, { recursive: true });
  const manifest = {
    "src/main.tsx": { file: "main-1.js", isEntry: true, css: ["main-2.css"] },
    "src/pages/logs/logs.tsx": { file: "logs-3.js" },
    "src/pages/cron/cron.tsx": { file: "cron-4.js" },
    "src/pages/cron/jobs/job-page.tsx": { file: "job-page-5.js" },
    "src/ui/pages/other.tsx": { file: "other-6.js" },
  };
  writeFileSync(join(folder, "manifest.json"), JSON.stringify(manifest));
  writeFileSync(join(folder, "main-1.js"), script);
  writeFileSync(join(folder, "main-2.css"), "body{}");
  writeFileSync(join(folder, "logs-3.js"), "");
  writeFileSync(join(folder, "secret.txt"), "not the client's");
}

const initialData = () => ({ text: '"><script>'.repeat(200) });

async function createServer(t: TestContext, folder = createFolder(t), attachedTo?: string) {
  const reads = { count: 0 };
  const read = () => {
    reads.count++;
    return readDashboard(folder);
  };
  const views = createViewStore(async () => assert.fail("No page reads the saved views."), systemClock);
  const { inject, token } = await createOwnedServer(t, {
    routes: (listener) =>
      mountDashboard(listener.routes.router("Annex"), {
        annexVersion: "9.8.7",
        views,
        attachedTo: () => attachedTo,
        initialData,
        read,
      }),
  });
  const authorization = `Bearer ${token}`;
  const get = (url: string, headers: Record<string, string> = {}) =>
    inject({ url, headers: { authorization, ...headers } });
  return { inject, get, reads };
}

describe("the dashboard's page", () => {
  for (const path of ["/_/_", "/_/_/", "/_/_/logs", "/_/_/cron"]) {
    it(`is at ${path}, for superusers`, async (t) => {
      const { inject, get } = await createServer(t);
      const page = await get(path);
      assert.equal(page.status, 200);
      assert.match(page.body, /<script type="module" src="\/_\/_\/assets\/main-1\.js">/);
      assert.match(page.body, /<link rel="stylesheet" href="\/_\/_\/assets\/main-2\.css">/);
      assert.match(page.body, /data-email="ada@example\.com" data-version="9\.8\.7"/);
      const stranger = await inject({ url: `${path}?range=1h&q=a%20b` });
      assert.equal(stranger.status, 302);
      const next = encodeURIComponent(`${path}?range=1h&q=a%20b`);
      assert.equal(stranger.headers.location, `/_/?next=${next}`);
    });
  }

  it("has the framework of the application that Annex is attached to", async (t) => {
    const { get } = await createServer(t, createFolder(t), "Express");
    assert.match((await get("/_/_")).body, / data-attached="Express" /);
    const own = await createServer(t);
    assert.doesNotMatch((await own.get("/_/_")).body, /data-attached/);
  });

  for (const name of ["overview", "other", "job-page", "constructor", "LOGS", "x".repeat(1_000)]) {
    it(`does not exist as ${name.slice(0, 20)}`, async (t) => {
      const { inject, get } = await createServer(t);
      for (const response of [await get(`/_/_/${name}`), await inject({ url: `/_/_/${name}` })]) {
        assert.equal(response.status, 404);
        assert.match(response.json<{ message: string }>().message, /^The dashboard has no page "/);
      }
    });
  }

  it("has the policy of all our pages, and nothing inline", async (t) => {
    const { get } = await createServer(t);
    const { headers, body } = await get("/_/_");
    assert.equal(
      headers["content-security-policy"],
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
    );
    assert.equal(headers["cache-control"], "no-store");
    assert.doesNotMatch(body, /<style|style=|\son\w+=|<script(?! type="module" src=)/);
  });

  it("contains the initial data of the client, and is compressed", async (t) => {
    const { get } = await createServer(t);
    const { headers, bytes } = await get("/_/_", { "accept-encoding": "gzip" });
    assert.equal(headers["content-encoding"], "gzip");
    const [, data = ""] = /data-initial="([^"]*)"/.exec(gunzipSync(bytes).toString()) ?? [];
    const text = data.replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));
    assert.deepEqual(JSON.parse(text), initialData());
  });

  it("starts with the chosen theme and ignores invalid ones", async (t) => {
    const { get } = await createServer(t);
    assert.match(
      (await get("/_/_", { cookie: "annex_theme=dark" })).body,
      /<html lang="en" data-theme="dark">/,
    );
    assert.match((await get("/_/_", { cookie: 'annex_theme="><script>' })).body, /<html lang="en">/);
  });

  it("returns instructions if the client is not built, and works once it is", async (t) => {
    const folder = createFolder(t, false);
    const { get } = await createServer(t, folder);
    const response = await get("/_/_");
    assert.equal(response.status, 503);
    assert.match(response.json<{ message: string }>().message, /npm run build:web/);
    build(decodeURIComponent(folder.pathname));
    assert.equal((await get("/_/_")).status, 200);
  });
});

describe("the dashboard's files", () => {
  it("are cached permanently, because their names change with their content", async (t) => {
    const { inject } = await createServer(t);
    const response = await inject({ url: "/_/_/assets/main-1.js" });
    assert.equal(response.status, 200);
    assert.equal(response.body, script);
    assert.equal(response.headers["content-type"], "text/javascript; charset=utf-8");
    assert.equal(response.headers["cache-control"], "public, max-age=31536000, immutable");
    assert.equal(response.headers["x-content-type-options"], "nosniff");
  });

  it("are compressed for clients that support it", async (t) => {
    const { inject } = await createServer(t);
    const response = await inject({
      url: "/_/_/assets/main-1.js",
      headers: { "accept-encoding": "gzip, br" },
    });
    assert.equal(response.headers["content-encoding"], "gzip");
    assert.equal(response.headers.vary, "Accept-Encoding");
    assert.equal(gunzipSync(response.bytes).toString(), script);
  });

  for (const name of ["secret.txt", "manifest.json", "logs", "constructor"]) {
    it(`do not include ${name}`, async (t) => {
      const { inject } = await createServer(t);
      assert.equal((await inject({ url: `/_/_/assets/${name}` })).status, 404);
    });
  }

  it("are not read again for an unknown name", async (t) => {
    const { inject, reads } = await createServer(t);
    for (const name of ["main-1.js", "none.js", "main-1.js", "none.js"])
      await inject({ url: `/_/_/assets/${name}` });
    assert.equal(reads.count, 1);
  });

  it("are read again when one is missing after a rebuild", async (t) => {
    const folder = createFolder(t);
    const { get, reads } = await createServer(t, folder);
    await get("/_/_");
    rmSync(new URL("logs-3.js", folder));
    assert.equal((await get("/_/_/assets/logs-3.js")).status, 404);
    await get("/_/_");
    assert.equal(reads.count, 2);
  });
});
