import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";
import type { Locator, Page } from "playwright-core";
import type { App } from "../src/index.ts";
import {
  account,
  checkAccessibility,
  checkLooks,
  checkWidth,
  delayFrames,
  phone,
  useDashboard,
} from "./support/dashboard.ts";

const dashboard = useDashboard();
/** For tests that leave every option as it is. */
const shared = dashboard.share();

const hostile = "/<img src=x onerror=alert(1)>";

const optionRow = (page: Page, name: string): Locator =>
  page.locator(".config-option").filter({ has: page.getByRole("button", { name, exact: true }) });

const tab = (page: Page, name: string): Promise<void> => page.getByRole("tab", { name }).click();

const param = (page: Page, name: string) => new URL(page.url()).searchParams.get(name);

async function edit(page: Page, name: string): Promise<Locator> {
  await optionRow(page, name).getByRole("button", { name: "Edit" }).click();
  return page.getByRole("dialog", { name: `Change ${name}` });
}

const builder = (dialog: Locator, name: string | RegExp): Promise<void> =>
  dialog.getByRole("button", { name }).click();

/** Another superuser, who does something over the routes. */
async function createOther(app: App, email: string) {
  const password = "another long password";
  await app.superusers.create(email, password);
  const url = "/api/collections/_superusers/auth-with-password";
  const login = await app.inject({ method: "POST", url, body: { identity: email, password } });
  const headers = { authorization: `Bearer ${login.json<{ token: string }>().token}` };
  return async (method: string, path: string, body?: unknown) => {
    const { status } = await app.inject({ method, url: path, headers, body });
    assert.ok(status < 300, `${path}: ${status}`);
  };
}

describe("the configuration on the dashboard", () => {
  it("says where each value comes from, what it means, and nothing that is secret", async (t) => {
    const secret = "a-very-secret-token";
    process.env.SVC_SHUTDOWN_GRACE_MS = "5000";
    // Options are read before anything is waited for.
    const started = dashboard.start(t, { instance: "web-1", metrics: { scrapeToken: secret } });
    delete process.env.SVC_SHUTDOWN_GRACE_MS;
    const { open } = await started;
    const page = await open("/_/_/config");
    await optionRow(page, "shutdown.graceMs").getByText("Environment").waitFor();
    await optionRow(page, "shutdown.graceMs").getByText("SVC_SHUTDOWN_GRACE_MS").waitFor();
    await optionRow(page, "shutdown.graceMs").getByText("5,000 ms").waitFor();
    await optionRow(page, "instance").getByText("Code", { exact: true }).waitFor();
    await optionRow(page, "limits.bodyBytes").getByText("Default", { exact: true }).waitFor();
    await optionRow(page, "metrics.scrapeToken").getByText("set, not shown").waitFor();
    for (const meaning of await page.locator(".config-name .hint").allTextContents()) {
      assert.match(meaning, /^[A-Z].+\.$/, "every option has its sentence");
    }
    await optionRow(page, "metrics.scrapeToken").getByRole("button").click();
    await page.getByText("createApp({ metrics: { scrapeToken: … } })").waitFor();
    for (const name of ["Audit log", "Storage", "Configuration"]) {
      await tab(page, name);
      await page.locator(".panel h2").first().waitFor();
      assert.equal((await page.content()).includes(secret), false, name);
    }
  });

  it("finds options by words and by what became of them, and says how each is set", async (t) => {
    const { open } = await shared(t);
    const page = await open("/_/_/config");
    await page.locator(".config-option").first().waitFor();
    await page.keyboard.press("/");
    await page.keyboard.type("svc_shutdown drain");
    await page.locator(".config-option").nth(1).waitFor({ state: "detached" });
    assert.equal(await page.locator(".config-toggle").textContent(), "shutdown.drainMs");
    await page.locator(".config-toggle").click();
    await page.getByText("SVC_SHUTDOWN_DRAIN_MS=0").waitFor();
    await page.getByText("It cannot be changed while the application runs").waitFor();
    assert.equal(param(page, "option"), "shutdown.drainMs");
    await page.reload();
    await page.getByText("SVC_SHUTDOWN_DRAIN_MS=0").waitFor();
    await page.getByRole("searchbox").fill("nothing is called that");
    await page.getByRole("button", { name: "Show all" }).click();
    await page.getByRole("button", { name: /Changed from default/ }).click();
    assert.deepEqual(
      (await page.locator(".config-toggle").allTextContents()).filter((name) => !name.includes(".")),
      ["dev", "port", "dataDir", "migrations", "signals", "versions"],
    );
    await page.getByRole("button", { name: /Can be changed now/ }).click();
    await page.getByRole("link", { name: "Change on the Cron page" }).click();
    await page.getByRole("heading", { level: 1, name: "Cron" }).waitFor();
  });

  it("changes the log level for a limited time, applies and shows it, and can revert it", async (t) => {
    const { app, open } = await dashboard.start(t, { dev: true, logLevel: "info" });
    const page = await open("/_/_/config");
    const dialog = await edit(page, "logLevel");
    assert.equal(await dialog.getByRole("button", { name: "Change" }).isDisabled(), true);
    await dialog.getByLabel("debug").check();
    await dialog.getByText("Everything is logged, including every request.").waitFor();
    await dialog.getByLabel("after 5 minutes").check();
    await builder(dialog, "Change");
    await page.getByText(/^logLevel is debug until \d\d:\d\d\.$/).waitFor();
    assert.equal(app.logger.level, "debug");
    const row = optionRow(page, "logLevel");
    await row.getByText("Run time").waitFor();
    await row.getByText(account.email).waitFor();
    await row.getByText(/in (5 min|4 min \d+ s)/).waitFor();

    await tab(page, "Audit log");
    const told = page.locator(".changes ol > li", { hasText: "changed the option" });
    await told.getByText(`${account.email} changed the option logLevel for 5 minutes`).waitFor();
    assert.deepEqual(await told.locator("del, ins").allTextContents(), ["info", "debug"]);
    await told.getByRole("link", { name: "logLevel" }).click();

    await row.getByRole("button", { name: /Revert to info/ }).click();
    const question = page.getByRole("dialog", { name: "Revert logLevel?" });
    await question.getByText("the value from code or environment").waitFor();
    await builder(question, "Cancel");
    assert.equal(app.logger.level, "debug");
    await row.getByRole("button", { name: /Revert to info/ }).click();
    await builder(question, "Revert to info");
    await row.getByText("Code", { exact: true }).waitFor();
    assert.equal(app.logger.level, "info");
    await tab(page, "Audit log");
    // The timeline has the same sentence, sooner or later.
    await page.locator(".changes").getByText(`${account.email} reverted the option logLevel`).waitFor();
  });

  it("says what a shorter retention deletes, and asks before it does", async (t) => {
    const { open } = await dashboard.start(t);
    const page = await open("/_/_/config");
    const dialog = await edit(page, "log.retentionHours");
    await dialog.getByLabel(/New value/).fill("24");
    const warning = "Log records older than 24 hours (1 d) are permanently deleted within a minute.";
    await dialog.getByText(warning).waitFor();
    await builder(dialog, "Change");
    const question = page.getByRole("dialog", { name: "Change log.retentionHours?" });
    await question.getByText(warning).waitFor();
    await builder(question, "Cancel");
    assert.equal(await dialog.getByLabel(/New value/).inputValue(), "24", "what was typed is still there");
    await builder(dialog, "Change");
    await builder(question, "Change to 24 hours");
    await page.getByText("log.retentionHours is 24 hours.").waitFor();
    await optionRow(page, "log.retentionHours").getByText("24 hours", { exact: true }).waitFor();

    const longer = await edit(page, "log.retentionHours");
    await longer.getByLabel(/New value/).fill("72");
    await longer.getByText("Nothing is deleted.").waitFor();
    await builder(longer, "Change");
    await page.getByText("log.retentionHours is 72 hours.").waitFor();
  });

  it("shows errors next to the fields, and keeps the input", async (t) => {
    const { open } = await dashboard.start(t);
    const page = await open("/_/_/config", { expects: /400/ });
    const number = await edit(page, "log.maxMegabytes");
    await number.getByLabel(/New value/).fill("12 GB");
    await page.keyboard.press("Enter");
    await number.getByRole("alert").getByText("Enter a number of megabytes from 1 to 1,000,000.").waitFor();
    assert.equal(await number.getByLabel(/New value/).inputValue(), "12 GB");
    assert.equal(await number.getByLabel(/New value/).getAttribute("aria-invalid"), "true");
    await checkAccessibility(page);
    await page.keyboard.press("Escape");

    const paths = await edit(page, "visitors.exclude");
    const field = paths.getByLabel(/Paths/);
    await field.fill("blog");
    await delayFrames(page);
    await builder(paths, "Change");
    await paths.getByRole("alert").getByText("“blog” is not a path: it must begin with / or *.").waitFor();
    await page.keyboard.type("s");
    assert.match(await field.inputValue(), /s/);
    const tooLong = `/fine/*\n/${"x".repeat(200)}`;
    await field.fill(tooLong);
    await builder(paths, "Change");
    // The server knows a limit that the form does not.
    await paths.getByRole("alert").getByText("each of at most 200 characters").waitFor();
    assert.equal(await field.inputValue(), tooLong);
    await field.fill("/fine/*");
    await builder(paths, "Change");
    await optionRow(page, "visitors.exclude").getByText("/fine/*").waitFor();
  });

  it("accepts any paths as text, and shows which were added and removed", async (t) => {
    const { open } = await dashboard.start(t, { visitors: { exclude: ["/old/*"] } });
    const page = await open("/_/_/config");
    const dialog = await edit(page, "visitors.exclude");
    await dialog.getByLabel(/Paths/).fill(`  /admin/*  \n\n${hostile}\n/admin/*\n`);
    await builder(dialog, "Change");
    const row = optionRow(page, "visitors.exclude");
    await row.getByText(hostile).waitFor();
    assert.deepEqual(await row.locator("code").allTextContents(), ["visitors.exclude", "/admin/*", hostile]);
    await row.getByRole("button", { name: /^Revert to \/old/ }).waitFor();
    await tab(page, "Audit log");
    const told = page.locator(".changes ol > li", { hasText: "visitors.exclude" });
    await told.getByText(`added ${hostile}`).waitFor();
    await told.getByText("removed /old/*").waitFor();
    assert.equal(await page.locator("main img").count(), 0);
  });

  it("switches the counting of visitors off and on", async (t) => {
    const { open } = await shared(t);
    const page = await open("/_/_/config");
    const off = await edit(page, "visitors.enabled");
    await off.getByRole("switch").uncheck();
    await off.getByText("Views from now on are not counted, and cannot be recovered later.").waitFor();
    await builder(off, "Change");
    await builder(page.getByRole("dialog", { name: "Change visitors.enabled?" }), "Change to off");
    await optionRow(page, "visitors.enabled").getByText("off", { exact: true }).waitFor();
    const isCounting = async () =>
      page.evaluate<boolean>("fetch('/_/_/data/visitors').then((a) => a.json()).then((a) => a.enabled)");
    assert.equal(await isCounting(), false);
    // On is what it was at the start, so this puts it back.
    const on = await edit(page, "visitors.enabled");
    await on.getByRole("switch").check();
    await builder(on, "Revert to on");
    await builder(page.getByRole("dialog", { name: "Revert visitors.enabled?" }), "Revert to on");
    await optionRow(page, "visitors.enabled").getByText("Default", { exact: true }).waitFor();
    assert.equal(await isCounting(), true);
  });

  it("is worked by keys alone", async (t) => {
    const { app, open } = await dashboard.start(t, { logLevel: "info" });
    const page = await open("/_/_/config");
    await page.locator(".config-option").first().waitFor();
    await page.keyboard.press("/");
    await page.keyboard.type("logLevel");
    await page.locator(".config-option").nth(1).waitFor({ state: "detached" });
    const focused = page.locator(":focus");
    for (let count = 0; count < 10; count++) {
      if ((await focused.textContent()) === "Edit logLevel") break;
      await page.keyboard.press("Tab");
    }
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog", { name: "Change logLevel" });
    await dialog.waitFor();
    assert.equal(await focused.getAttribute("value"), "info", "one begins at what it is now");
    await page.keyboard.press("ArrowDown");
    await dialog.getByText("Only warnings and errors are logged").waitFor();
    await page.keyboard.press("Enter");
    await dialog.waitFor({ state: "detached" });
    assert.equal(app.logger.level, "warn");
    assert.equal(await focused.textContent(), "Edit logLevel", "and goes on where one was");
    await page.getByRole("tab", { name: "Configuration" }).focus();
    await page.keyboard.press("ArrowRight");
    await page.getByRole("tab", { name: "Audit log", selected: true }).waitFor();
  });
});

describe("the changes on the dashboard", () => {
  it("show who did what, filter by kind and by actor, and can be downloaded", async (t) => {
    const { app, open } = await dashboard.start(t);
    const page = await open("/_/_/config");
    await optionRow(page, "cron.logRetentionHours").getByText("72 hours").waitFor();
    const send = await createOther(app, "=cmd|x@example.com");
    await send("PUT", "/_/_/data/config/cron.logRetentionHours", { value: 96 });
    await optionRow(page, "cron.logRetentionHours").getByText("96 hours").waitFor();
    await optionRow(page, "cron.logRetentionHours").getByText("=cmd|x@example.com").waitFor();
    await send("POST", "/api/cron/config/timezone", { timezone: "Europe/Berlin" });
    await send("POST", "/api/cron/jobs/backup/pause");
    await send("POST", "/api/cron/jobs/backup/run");
    await tab(page, "Audit log");
    const rows = page.locator(".changes ol > li");
    await rows.getByText("=cmd|x@example.com changed the time zone of the schedules").waitFor();
    await rows.getByText("The application was started on").waitFor();
    await rows.getByText(`The superuser ${account.email} was added`).waitFor();
    await page.getByRole("button", { name: "Jobs" }).click();
    await rows.nth(2).waitFor({ state: "detached" });
    assert.deepEqual((await rows.locator(".change-sentence").allTextContents()).sort(), [
      "=cmd|x@example.com paused the job backup",
      "=cmd|x@example.com started the job backup",
    ]);
    const run = await rows
      .filter({ hasText: "started" })
      .getByRole("link", { name: "backup" })
      .getAttribute("href");
    assert.match(run!, /\/_\/_\/cron\?job=backup&run=[\w-]+$/);
    const [file] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "CSV" }).click(),
    ]);
    const lines = readFileSync(await file.path(), "utf8")
      .trim()
      .split("\r\n");
    assert.equal(lines.length, 3);
    assert.match(lines[1]!, /Z,'=cmd\|x@example\.com,(run|pause),backup,/);
    await page.getByRole("button", { name: "All", exact: true }).click();
    await page.getByLabel("By").selectOption("the application");
    await rows.filter({ hasText: "paused" }).waitFor({ state: "detached" });
    await rows.getByText("The application was started on").waitFor();
    assert.equal(param(page, "actor"), "(program)");
    await page.getByRole("button", { name: "Settings" }).click();
    assert.equal(param(page, "kind"), "settings");
    await page.getByText("No matching changes in this period").waitFor();
    await page.getByRole("button", { name: "Show everything" }).click();
    await rows.getByText("=cmd|x@example.com paused").waitFor();
  });

  it("are found from the time line, also outside the window", async (t) => {
    const { open } = await shared(t);
    // Of that hour nothing is known.
    const page = await open("/_/_/config?tab=changes&from=1700000000000&to=1700003600000");
    await page.getByText("No matching changes in this period").waitFor();
    await page.goto("/_/_");
    const marker = page.locator(".timeline .marker", { hasText: "The application was started on" });
    await marker.focus();
    await page.keyboard.press("Enter");
    const comparison = page.getByRole("dialog", { name: /^Before and after/ });
    await comparison.getByRole("link", { name: /^The application was started on/ }).click();
    const marked = page.locator(".changes li[aria-current=true]");
    await marked.getByText("The application was started on").waitFor();
    await page.goto(`${page.url()}&from=1700000000000&to=1700003600000`);
    await marked.waitFor();
    await page.getByRole("button", { name: "This window" }).click();
    await page.getByText("No matching changes in this period").waitFor();
  });
});

describe("storage and overhead on the dashboard", () => {
  it("show storage, retention, overhead and instances", async (t) => {
    const { app, open } = await dashboard.start(t, { instance: "web-1", log: { retentionHours: 48 } });
    for (let count = 0; count < 5; count++) await app.inject({ url: "/api/v1/todos" });
    const page = await open("/_/_/config?tab=storage");
    const kept = page.getByRole("table", { name: "Stored data" });
    await kept.getByText("Log records").waitFor();
    await kept.getByText("of 1 GB").waitFor();
    await kept.getByText("of 320 MB").waitFor();
    await kept.getByRole("link", { name: "2 d" }).waitFor();
    await page.getByText("of a core").waitFor();
    // From the second reading on it is what it costs now.
    await page.getByText(/over the last \d+ s/).waitFor();
    await page.getByText("Nothing was dropped.").waitFor();
    await page.getByText("All counts").click();
    await page.getByText("They reconnect automatically.").waitFor();
    await page
      .getByRole("table", { name: "Metrics by resolution" })
      .getByText("1 s", { exact: true })
      .waitFor();
    await page.getByText("1 signed in").waitFor();
    const instances = page.getByRole("table", { name: "Instances" });
    await instances.getByRole("rowheader", { name: "web-1 current instance" }).waitFor();
    await instances.getByText(`Node ${process.versions.node}`).waitFor();
    await kept.getByRole("link", { name: "2 d" }).click();
    await optionRow(page, "log.retentionHours")
      .getByText("createApp({ log: { retentionHours: 48 } })")
      .waitFor();
    await page.getByRole("link", { name: "Your account and superusers" }).click();
    await page.waitForURL(/\/_\/$/);
  });
});

async function checkPage(page: Page): Promise<void> {
  await page.locator(".config-details .facts").waitFor();
  await checkLooks(page);
  const dialog = await edit(page, "logLevel");
  await dialog.getByLabel("debug").check();
  await checkLooks(page);
  await page.keyboard.press("Escape");
  await tab(page, "Audit log");
  await page.locator(".changes li").first().waitFor();
  await checkLooks(page);
  await tab(page, "Storage");
  await page.getByRole("table", { name: "Instances" }).waitFor();
  await page.getByText("All counts").click();
  await checkLooks(page);
}

describe("the Config page", () => {
  it("is clean in every look", async (t) => {
    const { app, open } = await dashboard.start(t, { logLevel: "info" });
    const send = await createOther(app, "grace@example.com");
    await send("PUT", "/_/_/data/config/logLevel", { value: "warn", minutes: 60 });
    await send("PUT", "/_/_/data/config/visitors.exclude", { value: [hostile, `/${"long".repeat(45)}`] });
    await checkPage(await open("/_/_/config?option=visitors.exclude", { viewport: phone }));
  });

  it("changes a setting on a phone", async (t) => {
    const { app, open } = await dashboard.start(t, { logLevel: "info" });
    const page = await open("/_/_/config", { viewport: phone });
    const dialog = await edit(page, "logLevel");
    await dialog.getByLabel("error").check();
    await dialog.getByLabel("only manually").check();
    await builder(dialog, "Change");
    await page.getByText("logLevel is error.", { exact: true }).waitFor();
    assert.equal(app.logger.level, "error");
    await checkWidth(page);
  });
});
