import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { describe, it } from "node:test";
import type { Page } from "playwright-core";
import type { App } from "../src/index.ts";
import { checkLooks, checkWidth, delayFrames, phone, useDashboard } from "./support/dashboard.ts";

const dashboard = useDashboard();
const shared = dashboard.share({ dev: true });

const at = (version: string, op: string) => `/_/_/api?${new URLSearchParams({ version, op })}`;
const query = (page: Page) => Object.fromEntries(new URL(page.url()).searchParams);
const endpoint = (page: Page, route: string) => page.locator(`[data-route="${route}"]`);
const version = (page: Page, label: string) =>
  page.locator(".version", { has: page.getByRole("link", { name: label, exact: true }) });
const field = (page: Page, name: string) => page.getByLabel(`Value of ${name}`);
const bodyField = (page: Page) => page.getByRole("textbox", { name: "Body" });
const response = (page: Page) => page.locator(".received");
const section = (page: Page, name: string) => page.getByRole("region", { name, exact: true });
const tab = (page: Page, name: string) => page.getByRole("tab", { name });

async function send(page: Page, method: string, status: number): Promise<string> {
  await page.getByRole("button", { name: `Send ${method}` }).click();
  await response(page)
    .locator(".status", { hasText: String(status) })
    .waitFor();
  const body = section(page, "Response body");
  return (await body.count()) > 0 ? (await body.textContent())! : "";
}

async function addPerson(app: App, name = "Ada"): Promise<string> {
  const made = await app.inject({ method: "POST", url: "/api/v1/people", body: { name } });
  return made.json<{ key: string }>().key;
}

/** Lets the server say something else for once. What is given is put over the real response. */
async function pretend(page: Page, path: string, change: (real: Json) => Json): Promise<void> {
  await page.route(
    (url) => url.pathname === path,
    async (route) => {
      // A page that polls may ask once more while it is being closed.
      const real = await route.fetch().catch(() => undefined);
      if (real) await route.fulfill({ response: real, json: change((await real.json()) as Json) });
    },
  );
}

// biome-ignore lint/suspicious/noExplicitAny: a document is changed here and there.
type Json = Record<string, any>;

describe("the page about the API", () => {
  it("lists the operations by tag with what they are doing now, and finds them", async (t) => {
    const { url, open } = await dashboard.start(t, { dev: true });
    for (let count = 0; count < 3; count++) await (await fetch(`${url}/api/v2/statistics`)).text();
    const page = await open("/_/_/api");
    await page.getByText("Analyzed 16 of 16 operations").waitFor();
    const groups = await page.locator(".endpoint-group h3").allTextContents();
    assert.deepEqual(groups, ["housekeeping", "statistics", "todos"]);
    const row = page.locator(".endpoint", { has: endpoint(page, "GET /api/v2/statistics") });
    await row.getByText("3 calls").waitFor();
    assert.match((await row.textContent())!, /p95 [\d.]+ (µs|ms).*0 % errors/);
    await version(page, "v2").getByText("3 calls").waitFor();
    const import_ = page.locator(".endpoint", { has: endpoint(page, "POST /api/v2/todos/import") });
    await import_.getByText("no calls").waitFor();
    await import_.getByText("signed in").waitFor();

    const found = async (text: string) => {
      await page.getByLabel("Search endpoints").fill(text);
      return page.locator("[data-route]").evaluateAll((all) => all.map((each) => each.dataset.route));
    };
    assert.deepEqual(await found("exports"), ["GET /api/v2/todos/export"], "by its summary");
    assert.deepEqual(await found("createtodo"), ["POST /api/v2/todos"], "by its operation ID");
    assert.deepEqual(await found("delete {id}"), ["DELETE /api/v2/todos/{id}"], "by method and path");
    assert.deepEqual(query(page), { q: "delete {id}" });
    assert.deepEqual(await found("nothing of the kind"), []);
    await page.getByRole("button", { name: "Show all" }).click();
    await endpoint(page, "GET /api/v2/statistics").waitFor();
  });

  it("shows the state of each version, and opens the same operation in another one", async (t) => {
    const { open } = await shared(t);
    const page = await open(at("v2", "GET /api/v2/todos/{id}"));
    const [first, second] = [version(page, "v1"), version(page, "v2")];
    await second.getByText("default").waitFor();
    await second.getByText("stable").waitFor();
    await first.getByText("deprecated").waitFor();
    await first.getByText(/Will be removed on 2027-12-31, in \d+ (months|years|days)/).waitFor();
    await first.getByText("Generated from source · public").waitFor();
    assert.equal(
      await first.getByRole("link", { name: /^Public page/ }).getAttribute("href"),
      "/api/docs/v1/swagger",
    );
    const download = page.waitForEvent("download");
    await second.getByRole("link", { name: /^openapi.json/ }).click();
    const file = await download;
    assert.equal(file.suggestedFilename(), "v2.openapi.json");
    assert.equal(JSON.parse(await readFile(await file.path(), "utf8")).info.version, "2.0.0");

    await first.getByRole("link", { name: "v1", exact: true }).click();
    await page.getByText("/api/v1/todos/{id}", { exact: true }).first().waitFor();
    assert.deepEqual(query(page), { version: "v1", op: "GET /api/v1/todos/{id}" });
    await page.locator(".operation-head").getByText("deprecated").waitFor();
  });

  it("shows the parameters and responses of an operation, and its source location", async (t) => {
    const { open } = await shared(t);
    const page = await open(at("v2", "POST /api/v2/todos"));
    const head = page.locator(".operation-head");
    await head.getByText("Adds a todo.").waitFor();
    await head.getByText("createTodo", { exact: true }).waitFor();
    await head.getByText(/^examples\/todos\/v2\.ts:\d+$/).waitFor();
    const body = page.locator(".body-editor .schema");
    assert.match((await body.textContent())!, /titlestringrequired1–200 characters/);
    assert.match((await body.textContent())!, /duestring \| nulldate-time · default null/);
    const example = JSON.parse(await bodyField(page).inputValue());
    assert.deepEqual(example, { title: "Notes on the engine", done: false, due: null });
    assert.equal(await page.locator(".responses > .fold").count(), 6);

    await page.goto(at("v2", "GET /api/v2/todos"));
    const row = page.getByRole("row", { name: /^page/ });
    assert.match((await row.textContent())!, /in the queryinteger.*default 1.*v2\.ts:\d+/);
    const items = page.locator(".responses .schema .fold", { hasText: "Todo[]" }).first();
    assert.equal(await items.getByText("owner", { exact: true }).count(), 0);
    await items.locator("summary").first().click();
    await items.getByText("owner", { exact: true }).waitFor();
    await page.getByRole("link", { name: "Show requests" }).click();
    await page.waitForURL(/\/_\/_\/requests/);
    assert.deepEqual(query(page), { tab: "routes", route: "GET /api/v2/todos" });
  });

  it("draws what an operation is doing", async (t) => {
    const { url, open } = await dashboard.start(t, { dev: true });
    await (await fetch(`${url}/api/v2/todos/none`)).text();
    const page = await open(at("v2", "GET /api/v2/todos/{id}"));
    const totals = page.locator(".operation-totals");
    await totals.waitFor();
    assert.match((await totals.textContent())!, /^Calls1p50.*Errors0 %Client errors100 %$/);
    // The library for charts is loaded after the numbers.
    await page.locator(".operation .uplot").nth(1).waitFor();
    assert.equal(await page.locator(".operation .uplot").count(), 2);
  });

  it("sends a request, and leads from its response to what the server knows of it", async (t) => {
    const { app, open } = await shared(t);
    await addPerson(app);
    const page = await open(at("v2", "GET /api/v2/todos"));
    await field(page, "perPage").fill("5");
    await field(page, "q").fill("a&b");
    await field(page, "done").selectOption("true");
    await page.getByText("GET /api/v2/todos?perPage=5&q=a%26b&done=true", { exact: true }).waitFor();
    const body = JSON.parse(await send(page, "GET", 200));
    assert.deepEqual(body, { page: 1, perPage: 5, totalItems: 0, items: [] });
    assert.match(
      (await response(page).locator(".received-line").textContent())!,
      /200 OK[\d.]+ (ms|s)\d+ BTrace/,
    );
    await response(page)
      .getByText(/^\d+ headers$/)
      .click();
    await response(page).getByText("application/json; charset=utf-8").waitFor();

    const link = response(page).getByRole("link", { name: /^Trace/ });
    const trace = (await link.locator("code").textContent())!;
    const known = await page.evaluate<string>(
      `fetch("/_/_/data/requests/${trace}").then(async (response) => JSON.stringify(await response.json()))`,
    );
    assert.match(known, /\/api\/v2\/todos/);
    await link.click();
    await page.waitForURL(/\/_\/_\/requests/);
    assert.equal(query(page).trace, trace);
    await page.goBack();
    assert.equal(await field(page, "q").inputValue(), "a&b", "what was written is still there");
  });

  it("sends requests with another token, and changes data", async (t) => {
    const { app, open } = await shared(t);
    const page = await open(at("v1", "POST /api/v1/people"), { expects: /status of 401/ });
    await page.getByText("This is a real request").waitFor();
    await bodyField(page).fill('{ "name": "Grace" }');
    const { key } = JSON.parse(await send(page, "POST", 201)) as { key: string };
    const who = await app.inject({ url: "/api/v1/people/me", headers: { authorization: `Bearer ${key}` } });
    assert.equal(who.json<{ name: string }>().name, "Grace");

    await endpoint(page, "POST /api/v1/todos").click();
    await page.getByRole("button", { name: "Anonymous" }).click();
    await bodyField(page).fill('{ "title": "Real" }');
    await send(page, "POST", 401);
    await page.getByRole("button", { name: "Credentials" }).click();
    await page.getByLabel("Bearer token").fill(key);
    const { id } = JSON.parse(await send(page, "POST", 201)) as { id: string };
    assert.equal((await app.inject({ url: `/api/v1/todos/${id}` })).json<{ title: string }>().title, "Real");

    await endpoint(page, "DELETE /api/v1/todos/{id}").click();
    await field(page, "id").fill(id);
    const question = page.getByRole("dialog", { name: "Send this DELETE?" });
    await page.getByRole("button", { name: "Send DELETE" }).click();
    await question.getByText(`DELETE /api/v1/todos/${id}`).waitFor();
    await question.getByRole("button", { name: "Cancel" }).click();
    await question.waitFor({ state: "detached" });
    assert.equal((await app.inject({ url: `/api/v1/todos/${id}` })).status, 200);
    await page.getByRole("button", { name: "Send DELETE" }).click();
    await question.getByRole("button", { name: "Yes, send it" }).click();
    await response(page).locator(".status", { hasText: "204" }).waitFor();
    await response(page).getByText("No body.").waitFor();
    assert.equal((await app.inject({ url: `/api/v1/todos/${id}` })).status, 404);
  });

  it("stops what cannot be sent, and shows what the server refuses", async (t) => {
    const { open } = await shared(t);
    const page = await open(at("v2", "GET /api/v2/todos/{id}"), { expects: /status of 404|ERR_FAILED/ });
    await delayFrames(page);
    await page.getByRole("button", { name: "Send GET" }).click();
    await page.getByText("Enter a value for id.").waitFor();
    await page.keyboard.type("..");
    await page.getByText("A path parameter cannot be . or .. only.").waitFor();
    await field(page, "id").fill("no/such");
    assert.match(await send(page, "GET", 404), /Todo not found/);

    await page.route("**/api/v2/todos/no%2Fsuch", (route) => route.abort());
    await page.getByRole("button", { name: "Send GET" }).click();
    await response(page).getByText("No response: the server cannot be reached").waitFor();

    await endpoint(page, "POST /api/v2/todos").click();
    await bodyField(page).fill("{ title: 1 }");
    await page.getByRole("button", { name: "Send POST" }).click();
    await page.getByText("This is not JSON").waitFor();
    assert.equal(await response(page).isVisible(), false);
    await page.getByRole("button", { name: "Reset to example" }).click();
    await page.getByText("This is not JSON").waitFor({ state: "detached" });
  });

  it("sends a file, and offers binary responses as a download", async (t) => {
    const { app, open } = await shared(t);
    const page = await open(at("v2", "POST /api/v2/todos/import"));
    await page.getByRole("button", { name: "Credentials" }).click();
    await page.getByLabel("Bearer token").fill(await addPerson(app));
    const buffer = Buffer.from("one\ntwo\n");
    await page.getByLabel("file").setInputFiles({ name: "list.txt", mimeType: "text/plain", buffer });
    await section(page, "Request with curl").getByText("-F 'file=@list.txt'").waitFor();
    assert.deepEqual(JSON.parse(await send(page, "POST", 201)), { imported: 2 });

    await endpoint(page, "GET /api/v2/todos/export").click();
    assert.match(await send(page, "GET", 200), /,"two"/);
    const download = page.waitForEvent("download");
    await response(page)
      .getByRole("link", { name: /^Download/ })
      .click();
    assert.equal((await download).suggestedFilename(), "todos.csv");

    const body = Buffer.from([0, 159, 146, 150]);
    await page.route("**/api/v2/todos/export", (route) => route.fulfill({ body, contentType: "image/png" }));
    await send(page, "GET", 200);
    await response(page).getByText("The content type is image/png, so the body is not shown.").waitFor();
  });

  it("shows the beginning of a large response, and what came of one that is stopped", async (t) => {
    const { open } = await shared(t);
    const page = await open(at("v2", "GET /api/v2/statistics"));
    const large = JSON.stringify(Array.from({ length: 60_000 }, (_, index) => index));
    await page.route("**/api/v2/statistics", (route) =>
      route.fulfill({ body: large, contentType: "application/json" }),
    );
    const shown = await send(page, "GET", 200);
    await response(page).getByText("Only the first 200 KB are shown.").waitFor();
    assert.equal(shown.length, 200_000);
    await response(page)
      .getByRole("link", { name: /^Download/ })
      .waitFor();

    await page.unroute("**/api/v2/statistics");
    let sent = 0;
    await page.route("**/api/v2/statistics", () => {
      sent++;
    });
    await page.getByRole("button", { name: "Send GET" }).click();
    await page.getByRole("button", { name: "Stop" }).waitFor();
    await page.getByRole("button", { name: "My session" }).press("Control+Enter");
    await page.getByRole("button", { name: "Stop" }).click();
    await response(page).getByText("Stopped before a response arrived.").waitFor();
    assert.equal(sent, 1, "what is under way is not sent again");
  });

  it("writes the request for other tools, with the values of the fields and without secrets", async (t) => {
    const { url, open } = await shared(t);
    const page = await open(at("v2", "PATCH /api/v2/todos/{id}"));
    await page.getByRole("button", { name: "Credentials" }).click();
    await page.getByLabel("Bearer token").fill("very-secret");
    await field(page, "id").fill("a b");
    await bodyField(page).fill(`{"title":"it's"}`);
    const curl = section(page, "Request with curl");
    assert.equal(
      await curl.textContent(),
      [
        `curl -X PATCH '${url}/api/v2/todos/a%20b'`,
        '-H "Authorization: Bearer $TOKEN"',
        "-H 'Content-Type: application/json'",
        `--data-raw '{"title":"it'\\''s"}'`,
      ].join(" \\\n  "),
    );
    await page.getByRole("button", { name: "fetch", exact: true }).click();
    const text = (await section(page, "Request with fetch").textContent())!;
    assert.match(text, /method: "PATCH",/);
    assert.match(text, /"Bearer " \+ token/);
    assert.doesNotMatch(await page.locator("main").innerText(), /very-secret/);
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.getByRole("button", { name: "Copy: Request with fetch" }).click();
    await page.getByRole("button", { name: "Copied" }).waitFor();
    assert.equal(await page.evaluate<string>("navigator.clipboard.readText()"), text);
  });

  it("lists the schemas and who uses them", async (t) => {
    const { open } = await shared(t);
    const page = await open("/_/_/api?version=v2");
    await tab(page, "Schemas").click();
    await page.getByLabel("Search schemas").fill("owner");
    const todo = page.locator("#schema-Todo");
    await todo.getByText("used by 4 operations").waitFor();
    assert.equal(await page.locator(".schemas > .fold").count(), 1);
    assert.deepEqual(query(page), { version: "v2", tab: "schemas", q: "owner" });
    await todo.locator("summary").first().click();
    await todo.getByText("The due date, if any.").waitFor();
    await todo.getByRole("link", { name: "PATCH /api/v2/todos/{id}" }).click();
    await page.locator(".operation-text", { hasText: "Updates the given fields" }).waitFor();
    assert.deepEqual(query(page), { version: "v2", op: "PATCH /api/v2/todos/{id}" });
  });

  it("shows the changes between two versions, breaking ones first, in both directions", async (t) => {
    const { app, open } = await dashboard.start(t, { dev: true });
    await addPerson(app);
    const page = await open("/_/_/api?version=v1");
    await tab(page, "Compare").click();
    await page.getByText(/^\d+ breaking changes$/).waitFor();
    assert.equal(await page.getByRole("combobox", { name: "From" }).inputValue(), "v1");
    assert.equal(await page.getByRole("combobox", { name: "To" }).inputValue(), "v2");
    const lines = page.locator(".diff-part").first().locator(".diff > li");
    assert.match((await lines.nth(0).textContent())!, /^removedPOST\/people.*breaks clients/);
    const list = lines.filter({ hasText: "Response 200: array → object" });
    await list.locator(".bad", { hasText: "array → object" }).waitFor();
    assert.match((await lines.last().textContent())!, /^added/);
    await lines.nth(0).getByText("1 call of v1 in this window").waitFor();

    await page.getByRole("button", { name: "Swap" }).click();
    await lines.filter({ hasText: /^addedPOST\/people/ }).waitFor();
    assert.deepEqual(query(page), { version: "v1", tab: "diff", from_version: "v2", to_version: "v1" });
    const back = lines.filter({ hasText: "Response 200: object → array" });
    await back.getByRole("link", { name: "in v2" }).click();
    await page.locator(".operation-text", { hasText: "Lists todos in pages." }).waitFor();
  });

  it("shows the diagnostics of the source, and reports if no source was analyzed", async (t) => {
    const { open } = await shared(t);
    const page = await open("/_/_/api?tab=open");
    await page.getByText("Everything was resolved").waitFor();
    await page.getByText("16 of 16 operations were analyzed").waitFor();

    let state = "reading";
    let diagnostics: object[] = [];
    await pretend(page, "/_/_/data/api", (real) => ({
      ...real,
      diagnostics,
      analysis: { ...real.analysis, state, diagnostics: diagnostics.length },
    }));
    await page.reload();
    await page.getByText("The source is being analyzed").waitFor();
    const route = "POST /api/v2/todos";
    const message = "The type of this body is not known. Write e.bindBody<Type>().";
    const other = "DELETE /api/v2/todos/{id}";
    diagnostics = [
      { code: "BODY_TYPE_UNKNOWN", message, file: "src/todos.ts", line: 12, routes: [route] },
      { code: "BODY_TYPE_UNKNOWN", message, file: "src/todos.ts", line: 40, routes: [other] },
    ];
    state = "ready";
    await page.getByText("src/todos.ts:12").waitFor();
    await page.getByText("src/todos.ts:40").waitFor();
    assert.equal(await page.getByText(message).count(), 1, "the reason is given once");
    await tab(page, "Diagnostics").getByText("2").waitFor();
    await page.getByRole("link", { name: route }).click();
    await page.getByText("The analysis reported one diagnostic here").waitFor();
    const reason = "Only the route is documented.";
    diagnostics = [{ code: "FILE_NOT_MARKED", message: reason, unread: true, routes: [route] }];
    await page.reload();
    await page.getByText(reason).waitFor();

    [state, diagnostics] = ["from disk", []];
    await page.goto("/_/_/api?tab=open");
    await page.getByText("Nothing is analyzed here").waitFor();
    await page.getByText("Documents from the build").waitFor();
  });

  it("explains what to do without versions, with one version or with a disabled version", async (t) => {
    const { open } = await shared(t);
    const page = await open("/_/_/api");
    let change = (real: Json): Json => ({ ...real, versions: [] });
    await pretend(page, "/_/_/data/api", (real) => change(real));
    await page.reload();
    await page.getByText("There are no routes to document").waitFor();
    await page.getByText("versions.registerVersion").waitFor();

    change = (real) => ({ ...real, versions: [{ ...real.versions[1], enabled: false }] });
    await page.goto(`${at("v2", "GET /api/v2/todos/{id}")}`);
    await page.getByText("it has no document. Its routes still work.").waitFor();
    await field(page, "id").waitFor();
    await page.goto("/_/_/api?tab=diff");
    await page.getByText("There is only one version").waitFor();
    await page.goto("/_/_/api?tab=schemas");
    await page.getByText("Without a document there are no schemas.").waitFor();
    await page.goto("/_/_/api?version=v2&op=GET+/nowhere");
    await page.getByText("v2 has no operation GET /nowhere").waitFor();
  });

  it("shows any document as text, and types that have no end step by step", async (t) => {
    const { open } = await shared(t);
    const page = await open("/_/_/api", { viewport: phone });
    const evil = `<img src=x onerror="document.title='broken'">${"x".repeat(300)}`;
    await pretend(page, "/_/_/data/api", (real) => {
      for (const each of real.versions) Object.assign(each, { title: evil, description: evil });
      Object.assign(real.versions[1].operations[0], { summary: evil, tags: [evil] });
      return real;
    });
    await pretend(page, "/_/_/data/api/v2", (real) => {
      const node = { $ref: "#/components/schemas/Node" };
      real.components.schemas.Node = {
        type: "object",
        description: evil,
        additionalProperties: { type: "integer" },
        properties: {
          [evil]: { type: "string", enum: [evil, "b"] },
          children: { type: "array", items: node },
          shape: {
            oneOf: [{ type: "object", properties: { round: { type: "boolean" } } }, { type: "string" }],
          },
          both: { allOf: [{ type: "object", properties: { left: { type: "number" } } }] },
        },
      };
      const get = real.paths["/statistics"].get;
      get.description = evil;
      get.responses[200] = { description: evil, content: { "application/json": { schema: node } } };
      return real;
    });
    await page.goto(at("v2", "GET /api/v2/statistics"));
    assert.equal(await page.locator(".operation-text", { hasText: "<img" }).textContent(), evil);
    const schema = page.locator(".responses .schema").first();
    await schema.getByText("any other key").waitFor();
    await schema.getByText("contains itself").first().waitFor();
    await schema.locator("summary", { hasText: "shape" }).click();
    await schema.getByText("One of these:").waitFor();
    await schema.locator("summary", { hasText: "both" }).click();
    await schema.getByText("left", { exact: true }).waitFor();
    await checkWidth(page);
    await page.goto("/_/_/api?version=v2&tab=schemas&schema=Node");
    await page.locator("#schema-Node .schema").waitFor();
    await checkWidth(page);
    await page.goto("/_/_/api?version=v2");
    await page.locator(".endpoint").first().waitFor();
    await checkWidth(page);
    assert.equal(await page.title(), "API · Annex");
    assert.equal(await page.locator("main img").count(), 0);
  });

  it("shows on a phone the list first, then the operation in its place, and leads back", async (t) => {
    const { open } = await shared(t);
    const page = await open("/_/_/api?version=v2", { viewport: phone });
    await endpoint(page, "GET /api/v2/statistics").click();
    await page.getByRole("button", { name: "Send GET" }).waitFor();
    assert.equal(await endpoint(page, "GET /api/v2/statistics").isVisible(), false);
    await page.getByRole("link", { name: "All endpoints of v2" }).click();
    await page.locator('[data-route="GET /api/v2/statistics"]:focus').waitFor();
  });

  it("works with the keyboard alone", async (t) => {
    const { open } = await shared(t);
    const page = await open("/_/_/api?version=v2", { expects: /status of 404/ });
    await endpoint(page, "GET /api/v2/todos/{id}").waitFor();
    await page.keyboard.press("/");
    await page.keyboard.type("get {id}");
    await endpoint(page, "GET /api/v2/statistics").waitFor({ state: "detached" });
    const reach = async (place: string) => {
      for (let presses = 0; presses < 40; presses++) {
        await page.keyboard.press("Tab");
        if ((await page.locator(`${place}:focus`).count()) > 0) return;
      }
      assert.fail(`${place} was not reached`);
    };
    await reach("[data-route]");
    await page.keyboard.press("Enter");
    await page.locator("h2#operation-title:focus").waitFor();
    await reach("[aria-label='Value of id']");
    await page.keyboard.type("7");
    await page.keyboard.press("Enter");
    await response(page).getByText("404 Not Found").waitFor();
    await page.keyboard.press("Shift+Tab");
    await page.keyboard.press("Shift+Tab");
    await tab(page, "Endpoints").focus();
    await page.keyboard.press("ArrowRight");
    await page.locator("#tab-schemas:focus[aria-selected=true]").waitFor();
  });

  it("is accessible at every width and in both themes", async (t) => {
    const { url, open } = await shared(t);
    await (await fetch(`${url}/api/v2/todos`)).text();
    const page = await open("/_/_/api?version=v1", { viewport: phone });
    await page.locator(".endpoint").first().waitFor();
    await checkLooks(page);
    await page.goto(at("v2", "GET /api/v2/todos"));
    await send(page, "GET", 200);
    await page.locator(".operation .uplot").first().waitFor();
    await checkLooks(page);
    for (const [part, ready] of [
      ["diff", ".diff"],
      ["schemas&schema=Todo", ".schema"],
      ["open", ".empty"],
    ]) {
      await page.goto(`/_/_/api?version=v2&tab=${part}`);
      await page.locator(ready!).first().waitFor();
      await checkLooks(page);
    }
  });
});
