import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { until } from "../src/lib/testing/until.ts";
import { createFolder, startSource } from "./support/program.ts";

/** In every secret of this test. It must not appear in any output. */
const canary = "c4n4ryS3cr3tV4lue";
const jwt = `eyJhbGciOiJIUzI1NiJ9.${Buffer.from(canary).toString("base64url")}.c2lnbmF0dXJl`;

/** Logs, throws and stores secrets in every way that an application might. */
const application = `
  const canary = ${JSON.stringify(canary)};
  const jwt = ${JSON.stringify(jwt)};
  const app = annex.createApp({
    port: 0,
    dev: true,
    docsSources: false,
    metrics: { scrapeToken: canary + canary },
    log: { redact: ["iban", "customerNumber"] },
  });
  const names = ["authorization", "Cookie", "password", "passwd", "pwd", "token", "access_token", "refreshToken",
    "apiKey", "api_key", "x-api-key", "APIKEY", "clientSecret", "client_secret", "privateKey", "signature", "sessionId",
    "otp", "cvv", "dbpass", "accesskey", "iban", "customerIban", "CUSTOMER_NUMBER"];
  const fields = Object.fromEntries(names.map((name) => [name, canary]));
  const url = "/x?page=1&token=" + canary + "&customer_iban=" + canary;
  const texts = [
    "the server refused token: " + canary,
    "curl -u ada:" + canary + " -H 'authorization: Basic " + canary + "' https://h.example",
    "run --password " + canary + " --api-key=" + canary,
    "PGPASSWORD=" + canary + " psql",
    "ada:" + canary + "@tcp(db:3306)/x",
    "/login?next=https%3A%2F%2Fada%3A" + canary + "%40h.example%2F",
    "/login?next=%2Fb%3Fnext%3Dhttps%253A%252F%252Fada%253A" + canary + "%2540h.example",
    "postgres://ada:a/" + canary + "@db/x",
  ];
  const data = {
    texts,
    command: ["curl", "-u", "ada:" + canary],
    fields,
    deep: { list: [{ deeper: fields }] },
    map: new Map(Object.entries(fields)),
    params: new URLSearchParams({ token: canary }),
    address: new URL("http://ada:" + canary + "@h.example/?access_token=" + canary),
    headers: new Headers({ authorization: "Bearer " + canary, "x-api-key": canary, referer: "http://h" + url }),
    rawHeaders: ["Host", "h", "Authorization", canary, "X-Api-Key", canary],
    pairs: [["authorization", canary], ["x-api-key", canary]],
    named: [{ name: "authorization", value: canary }],
    argv: ["--api-key", canary, "--token=" + canary],
    url,
    text: "Authorization: Bearer " + canary,
    json: JSON.stringify({ body: JSON.stringify(fields) }),
    jwt: "sent " + jwt,
    database: "postgres://ada:" + canary + "@db/x",
    ["key of " + jwt]: 1,
  };
  const message = "GET " + url + " with Bearer " + canary + " and password=" + canary + " and " + jwt;
  const fail = (text) => {
    const errors = texts.map((each) => new Error(each));
    const cause = Object.assign(new AggregateError(errors, message), data);
    const error = new Error(text + ": " + message, { cause });
    return Object.assign(error, { config: data, request: { headers: fields } });
  };
  app.onServe(({ router }) => {
    router.get("/log", (e) => {
      for (const level of ["debug", "info", "warn", "error"]) app.logger[level](message, data);
      annex.infoWithContext(e, app, message, data);
      annex.errorWithContext(e, app, message, fail("logged"), data);
      app.logger.error(message, fail("as data"));
      return e.json(200, {});
    });
    router.get("/fail", () => { throw fail("thrown"); });
    router.get("/throw-object", () => { throw data; });
    router.get("/later", (e) => { setImmediate(() => { throw fail("later"); }); return e.json(200, {}); });
    router.get("/reject", (e) => { void Promise.reject(fail("rejected")); return e.json(200, {}); });
    router.get("/reset/{token}", (e) => e.html(200, "<!doctype html><p>reset"));
    router.get("/{rest...}", (e) => e.html(200, "<!doctype html><p>page"));
  });
  app.jobs.registerJob("leak", "Leak", "Leaks", "0 0 1 1 *", (log) => {
    log.info(message);
    log.info(data);
    log.warn("password: '" + canary + "'");
    for (const text of texts) log.info(text);
    throw fail("job");
  });
  const { url: origin } = await app.start();
  await app.superusers.create("ada@example.com", "correct horse");
  process.stderr.write("up at " + origin + "\\n");
`;

const requests = [
  "/log",
  "/fail",
  "/throw-object",
  "/later",
  "/reject",
  `/reset/${canary}`,
  `/page;jsessionid=${canary}?token=${canary}`,
  `/verify/${jwt}`,
];

const pages = [
  "logs?limit=1000",
  "logs?limit=1000&text=redacted",
  "logs.ndjson",
  "requests.csv",
  "recent?limit=200",
  "requests",
  "routes",
  "routes.csv",
  "slowest",
  "errors",
  "config",
  "changes",
  "visitors",
  "visitors.csv",
  "now",
  "cron",
];

describe("secrets", () => {
  it("appear in no output, file, response or export", { timeout: 360_000 }, async (t) => {
    const folder = createFolder(t);
    const program = startSource(t, application, { env: { SVC_DATA_DIR: folder, SVC_LOG_FORMAT: "json" } });
    const [, origin] = await program.says(/up at (http:\S+)/);
    const sent = {
      accept: "text/html",
      "x-api-key": canary,
      cookie: `sid=${canary}`,
      referer: `http://h/?token=${canary}`,
    };
    const next = encodeURIComponent(`https://ada:${canary}@h.example`);
    for (const path of [...requests, `/page/next=${next}`, `/page;next=${next}`])
      await (await fetch(origin + path, { headers: sent })).text();
    const outputs = new Map<string, string>();
    const login = await fetch(`${origin}/api/collections/_superusers/auth-with-password`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ identity: "ada@example.com", password: "correct horse" }),
    });
    const authorization = `Bearer ${((await login.json()) as { token: string }).token}`;
    const read = async (path: string, method = "GET") => {
      const response = await fetch(origin + path, { method, headers: { authorization } });
      const text = await response.text();
      outputs.set(`${method} ${path} ${response.status}`, text);
      return text;
    };
    await read("/api/cron/jobs/leak/run", "POST");
    await program.says(/"msg":"Job \\"leak\\" failed"/);
    const errors = await pollErrors(read);
    for (const { fingerprint } of errors) await read(`/_/_/data/errors/${fingerprint}`);
    for (const path of pages) assert.ok((await read(`/_/_/data/${path}`)) !== "", path);
    for (const path of ["/api/cron/logs", "/api/cron/logs/leak", "/api/cron/jobs"]) await read(path);
    for (const traceId of traceIds(program.stdout).slice(0, 20)) await read(`/_/_/data/requests/${traceId}`);
    program.child.kill("SIGTERM");
    await program.ended;
    outputs.set("standard output", program.stdout);
    outputs.set("standard error", program.stderr);
    for (const file of readdirSync(folder)) {
      if (existsSync(join(folder, file))) outputs.set(file, readFileSync(join(folder, file), "latin1"));
    }
    const encoded = Buffer.from(canary).toString("base64url");
    for (const [name, text] of outputs) {
      for (const secret of [canary, encoded]) {
        const at = text.indexOf(secret);
        assert.equal(at, -1, `${name}: ${text.slice(Math.max(0, at - 200), at + 40)}`);
      }
    }
    // The test looked at something: what is not secret is there.
    assert.match(program.stdout, /"fields":\{"authorization":"\[redacted\]"/);
    assert.match(outputs.get("GET /_/_/data/logs.ndjson 200")!, /token=\[redacted\]/);
    assert.match(outputs.get("GET /api/cron/logs/leak 200")!, /token=\[redacted\]/);
    assert.match(JSON.stringify(errors), /token=\[redacted\]/);
    assert.ok([...outputs.keys()].includes("metrics.db") && [...outputs.keys()].includes("logs.db"));
  });
});

/** Errors are stored once a second. */
async function pollErrors(read: (path: string) => Promise<string>): Promise<{ fingerprint: string }[]> {
  return until(
    "five errors are stored",
    async () => (JSON.parse(await read("/_/_/data/errors")) as { errors: { fingerprint: string }[] }).errors,
    (errors) => errors.length >= 5,
  );
}

function traceIds(stdout: string): string[] {
  return [...new Set([...stdout.matchAll(/"trace_id":"([A-Za-z0-9]{18})"/g)].map(([, id]) => id!))];
}
