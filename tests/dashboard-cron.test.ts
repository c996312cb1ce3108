import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, it, type TestContext } from "node:test";
import type { Page } from "playwright-core";
import { z } from "zod";
import type { App, ExecutionLogger, JobOptions } from "../src/index.ts";
import { until } from "../src/lib/testing/until.ts";
import { account, checkLooks, type Dashboard, phone, useDashboard } from "./support/dashboard.ts";
import { createFolder, startSource } from "./support/program.ts";

const dashboard = useDashboard();
/** For tests whose jobs disturb no other test. */
const shared = dashboard.share();

/** A date that no test meets, so that nothing runs unless the test says so. */
const never = "0 4 29 2 *";

interface Started {
  readonly log: ExecutionLogger;
  finish(): void;
  fail(error: Error): void;
}

/** A job whose runs wait for the test; `next` resolves with the next run that has begun. */
function registerStepped(app: App, id: string, name: string, options: JobOptions = {}, description = "") {
  const begun: Started[] = [];
  const waiting: ((run: Started) => void)[] = [];
  app.jobs.registerJob(
    id,
    name,
    description,
    never,
    (log) =>
      new Promise<void>((resolve, reject) => {
        const run = { log, finish: resolve, fail: reject };
        log.signal.addEventListener("abort", () => reject(log.signal.reason));
        const take = waiting.shift();
        if (take) take(run);
        else begun.push(run);
      }),
    options,
  );
  return {
    next: () => {
      const run = begun.shift();
      return run ? Promise.resolve(run) : new Promise<Started>((resolve) => waiting.push(resolve));
    },
  };
}

async function runToEnd(app: App, id: string): Promise<string> {
  const run = await app.jobs.run(id, { actor: account.email });
  await runEnds(app, run.id);
  return run.id;
}

async function runEnds(app: App, runId: string): Promise<void> {
  await until(
    `run ${runId} ends`,
    () => app.jobs.findRun(runId),
    ({ status }) => status !== "running",
  );
}

const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name, exact: true });
const rowOf = (page: Page, name: string) => page.locator(".cron-jobs tr", { hasText: name });
const drawer = (page: Page) => page.locator("dialog.drawer");

/** The toast that says it, dismissed so that the next one is the next one. */
async function untilTold(page: Page, text: string | RegExp): Promise<void> {
  const toast = page.locator(".toast", { hasText: text });
  await toast.waitFor();
  await toast.getByRole("button", { name: "Dismiss" }).click();
}

describe("the cron page: runs", () => {
  it("starts a job and shows its output as it is written, to its end", async (t) => {
    const { app, open } = await shared(t);
    const job = registerStepped(app, "report", "Nightly report");
    const page = await open("/_/_/cron");
    await button(page, "Run Nightly report").click();
    const run = await job.next();
    await drawer(page).getByText("Running", { exact: true }).first().waitFor();
    run.log.start("Collecting figures");
    await drawer(page).locator(".level-start", { hasText: "Collecting figures" }).waitFor();
    run.log.progress(0.4);
    await drawer(page).locator("progress").waitFor();
    await drawer(page).getByText("40 %").waitFor();
    run.log.warn("One figure is missing");
    await drawer(page).locator(".level-warn", { hasText: "One figure is missing" }).waitFor();
    run.finish();
    await drawer(page).locator(".run-state", { hasText: "Succeeded" }).waitFor();
    await drawer(page).getByText(`Manual, ${account.email}`).waitFor();
    await button(page, "Close").click();
    await rowOf(page, "Nightly report").getByText("Succeeded", { exact: true }).waitFor();
    await rowOf(page, "Nightly report").getByText("1 of 1 succeeded").waitFor({ state: "attached" });
    assert.equal(await rowOf(page, "Nightly report").locator(".run-slot.success").count(), 1);
  });

  it("leads to the run in progress when a job cannot be run twice at a time", async (t) => {
    const { app, open } = await shared(t);
    const job = registerStepped(app, "slow", "Slow thing");
    const { id } = await app.jobs.run("slow");
    const { finish } = await job.next();
    const page = await open("/_/_/cron", { expects: /409/ });
    await rowOf(page, "Slow thing").getByText("Running", { exact: true }).waitFor();
    await button(page, "Run Slow thing").click();
    await page.getByText('A run of job "slow" is already in progress.').waitFor();
    await button(page, "Watch that run").click();
    await drawer(page).getByText(id).waitFor();
    finish();
    await drawer(page).locator(".run-state", { hasText: "Succeeded" }).waitFor();
  });

  it("cancels a run, after it has asked", async (t) => {
    const { app, open } = await shared(t);
    const job = registerStepped(app, "long", "Long thing");
    const page = await open("/_/_/cron?job=long");
    await button(page, "Run Long thing").click();
    await job.next();
    await button(page, "Cancel run").click();
    await page.getByText("its effects so far are not undone").waitFor();
    await button(page, "Yes, cancel the run").click();
    await drawer(page).locator(".run-state", { hasText: "Failed" }).waitFor();
    await drawer(page)
      .locator(".level-error, .level-warn", { hasText: `Cancelled by ${account.email}` })
      .first()
      .waitFor();
    await button(page, "Close").click();
    await page.locator(".cron-runs tbody tr", { hasText: "Failed" }).waitFor();
  });

  it("opens a run by its URL, and shows foreign content as text", async (t) => {
    const { app, open } = await shared(t);
    const hostile = `<img src=x onerror="document.title='broken'">`;
    app.jobs.registerJob("hostile", `${hostile} job`, `${hostile} description`, never, (log) => {
      log.info(`${hostile} output`);
      log.fail(new Error(`${hostile} failure`));
    });
    const id = await runToEnd(app, "hostile");
    const page = await open(`/_/_/cron?job=hostile&run=${id}`, { expects: /404/ });
    await drawer(page).getByText(`${hostile} output`).waitFor();
    await drawer(page)
      .locator(".level-error", { hasText: `${hostile} failure` })
      .waitFor();
    await page.locator("h1", { hasText: `${hostile} job` }).waitFor();
    await page.getByText(`${hostile} description`).waitFor();
    const downloading = page.waitForEvent("download");
    await button(page, "Download the output as text").click();
    assert.match(readFileSync(await (await downloading).path(), "utf8"), /info +<img .* output\nerror +/);
    await button(page, "Close").click();
    await page.getByRole("link", { name: "Cron", exact: true }).last().click();
    await rowOf(page, `${hostile} job`).waitFor();
    await page.locator(".gantt-name", { hasText: `${hostile} job` }).waitFor();
    assert.equal(await page.locator("main img").count(), 0);

    await page.goto("/_/_/cron?run=nosuchrun");
    await drawer(page).getByText('Run "nosuchrun" does not exist.').waitFor();
  });

  it("follows the end of a long output until the user scrolls, and keeps a limited part", async (t) => {
    const { app, open } = await shared(t);
    const job = registerStepped(app, "talker", "Talker");
    const page = await open("/_/_/cron?job=talker");
    await button(page, "Run Talker").click();
    const { log, finish } = await job.next();
    for (let line = 1; line <= 400; line++) log.info(`line ${line}.`);
    const last = drawer(page).locator(".run-line").last();
    await last.getByText("line 400.").waitFor();
    const isAtEnd =
      "(({ scrollTop, scrollHeight, clientHeight }) => scrollHeight - scrollTop - clientHeight < 40)(document.querySelector('.run-lines'))";
    await page.waitForFunction(isAtEnd);
    await drawer(page)
      .locator(".run-lines")
      .evaluate((box) => {
        box.scrollTop = 0;
      });
    await button(page, "Follow output").waitFor();
    log.info("line 401.");
    await last.getByText("line 401.").waitFor();
    assert.equal(await page.evaluate(isAtEnd), false);
    await button(page, "Follow output").click();
    await page.waitForFunction(isAtEnd);
    finish();
    await drawer(page).locator(".run-state", { hasText: "Succeeded" }).waitFor();
    assert.ok((await drawer(page).locator(".run-line").count()) <= 5_000);
  });

  it("notices the end of a run whose stream has died without a word", async (t) => {
    const { app, open } = await shared(t);
    const job = registerStepped(app, "quiet", "Quiet job");
    const { id } = await app.jobs.run("quiet", { actor: account.email });
    const page = await open("/_/_/cron");
    // While a clock is being installed, the time is zero for a moment, and a live page would ask for that window.
    await page.goto("about:blank");
    await page.clock.install();
    await page.route("**/stream", () => {});
    // A page that is live would ask again by itself when its own stream comes back.
    await page.goto(`/_/_/cron?live=0&run=${id}`);
    await drawer(page).locator(".run-state", { hasText: "Running" }).waitFor();
    const { log, finish } = await job.next();
    log.info("the last word");
    finish();
    await runEnds(app, id);
    await page.clock.runFor(20_000);
    await drawer(page).locator(".run-state", { hasText: "Succeeded" }).waitFor();
    await drawer(page).getByText("the last word").waitFor();
  });

  it("reconnects after a crash and a restart, and shows the run as interrupted", async (t) => {
    const dataDir = createFolder(t);
    const start = async (port: string) => {
      const program = startSource(t, restartable, { env: { FOLDER: dataDir, PORT: port } });
      const [, url, run = ""] = await program.says(/listening (\S+) ?(\S*)\n/);
      return { program, url: url!, run };
    };
    const first = await start("0");
    const { open } = await shared(t);
    const page = await open("/_/_/cron", { expects: /^asked|ERR_|502/ });
    await page.goto(`${first.url}/_/_/cron?run=${first.run}`);
    await page.fill("[name=identity]", account.email);
    await page.fill("[name=password]", account.password);
    await page.click("main button");
    await drawer(page).getByText("the first half").waitFor();
    // A kill loses the output of the last second.
    await until(
      "the output is stored",
      async () => (await page.request.get(`${first.url}/_/_/data/cron/runs/${first.run}`)).text(),
      (text) => text.includes("the first half"),
    );
    first.program.child.kill("SIGKILL");
    await first.program.ended;
    await drawer(page).getByText("The connection is lost").waitFor();
    await start(new URL(first.url).port);
    await drawer(page).locator(".run-state", { hasText: "Interrupted" }).waitFor();
    assert.equal(await drawer(page).getByText("the first half").count(), 1);
  });
});

/** Begins a run that does not end, the first time it is started. */
const restartable = `
  const { FOLDER, PORT } = process.env;
  const app = annex.createApp({ port: Number(PORT), dataDir: FOLDER, log: { destination: FOLDER + "/log" } });
  app.jobs.registerJob("endless", "Endless", "", ${JSON.stringify(never)}, (log) => {
    log.info("the first half");
    return new Promise(() => {});
  });
  const { url } = await app.start();
  if (PORT !== "0") console.log("listening " + url);
  else {
    await app.superusers.create(${JSON.stringify(account.email)}, ${JSON.stringify(account.password)});
    const { id } = await app.jobs.run("endless");
    console.log("listening " + url + " " + id);
  }
`;

describe("the cron page: the queue", () => {
  it("runs a job with parameters, and repeats it with changed ones", async (t) => {
    const { app, open } = await shared(t);
    const seen: unknown[] = [];
    app.jobs.registerJob("by-day", "By day", "", never, (log) => seen.push(log.parameters), {
      parameters: z.object({ day: z.iso.date() }),
    });
    const page = await open("/_/_/cron?job=by-day", { expects: /400/ });
    await page.getByRole("button", { name: "Run with… By day" }).click();
    const dialog = page.getByRole("dialog", { name: "Run By day" });
    const field = dialog.getByLabel("Parameters, as JSON");
    await field.fill("{ day:");
    await dialog.getByRole("button", { name: "Run" }).click();
    await dialog.getByRole("alert").getByText("The parameters are not valid JSON").waitFor();
    await field.fill('{ "day": "today" }');
    await dialog.getByRole("button", { name: "Run" }).click();
    await dialog.getByRole("alert").getByText("The parameters are not valid: day: ").waitFor();
    assert.equal(await field.getAttribute("aria-invalid"), "true");
    await field.fill('{ "day": "2026-03-01" }');
    await dialog.getByRole("button", { name: "Run" }).click();
    const drawer = page.getByRole("dialog", { name: "By day" });
    await drawer.getByText("Succeeded", { exact: true }).first().waitFor();
    await drawer.getByText('{"day":"2026-03-01"}').waitFor();
    await checkLooks(page);

    await drawer.getByRole("button", { name: "Run again…" }).click();
    assert.equal(await field.inputValue(), '{\n  "day": "2026-03-01"\n}');
    await field.fill('{ "day": "2026-03-02" }');
    await dialog.getByRole("button", { name: "Run" }).click();
    await drawer.getByText('{"day":"2026-03-02"}').waitFor();
    assert.deepEqual(seen, [{ day: "2026-03-01" }, { day: "2026-03-02" }]);
  });

  it("queues a run for a time, shows it, and cancels it after it has asked", async (t) => {
    const { app, open } = await shared(t);
    app.jobs.registerJob("later", "Later", "", never, () => {});
    const page = await open("/_/_/cron?job=later&tz=utc");
    await page.getByRole("button", { name: "Run with… Later" }).click();
    const dialog = page.getByRole("dialog", { name: "Run Later" });
    await dialog.getByLabel("Start at").fill("2031-05-06T07:08:09");
    await dialog.getByRole("button", { name: "Run" }).click();
    await page.getByText(/^Later runs at 6 May/).waitFor();
    const [queued] = await app.jobs.listQueued("later");
    assert.equal(queued!.runAt.toISOString(), "2031-05-06T07:08:09.000Z");
    const next = page.getByRole("region", { name: "Next runs" });
    await next.getByText(`Single run, ${account.email}`).waitFor();

    await page.goto(`/_/_/cron?job=later&run=${queued!.id}&tz=utc`);
    const drawer = page.getByRole("dialog", { name: "later" });
    await drawer.getByText("Queued").waitFor();
    await checkLooks(page);
    await drawer.getByRole("button", { name: "Cancel run" }).click();
    await page.getByRole("button", { name: "Yes, cancel the run" }).click();
    await drawer.waitFor({ state: "detached" });
    await next.getByText("Queued").waitFor({ state: "detached" });
    assert.deepEqual(await app.jobs.listQueued("later"), []);
  });

  it("moves the focus to the next queued run when one is cancelled", async (t) => {
    const { app, open } = await shared(t);
    app.jobs.registerJob("twice", "Twice", "", never, () => {});
    for (const day of ["06", "07"]) await app.jobs.runAt("twice", new Date(`2031-05-${day}T07:08:09Z`));
    const page = await open("/_/_/cron?job=twice&tz=utc");
    const next = page.getByRole("region", { name: "Next runs" });
    const focused = page.locator(":focus");
    const cancel = async (name: RegExp) => {
      await next.getByRole("button", { name }).click();
      await page.getByRole("button", { name: "Yes, cancel the run" }).click();
      await next.getByRole("button", { name }).waitFor({ state: "detached" });
    };
    await cancel(/^Cancel the run at 6 May/);
    assert.match((await focused.getAttribute("aria-label"))!, /^Cancel the run at 7 May/);
    await cancel(/^Cancel the run at 7 May/);
    assert.equal(await focused.getAttribute("id"), "main");
  });

  it("shows the attempts of a run, at every width", async (t) => {
    const { app, open } = await shared(t);
    const fail = () => {
      throw new Error("no luck");
    };
    app.jobs.registerJob("unlucky", "Unlucky", "", never, fail, {
      retries: { count: 2, delayMs: 1, maxDelayMs: 3_600_000, factor: 3_600_000 },
    });
    const { id: first } = await app.jobs.run("unlucky");
    await until(
      "the second attempt has failed",
      () => app.jobs.listQueued("unlucky"),
      (queued) => queued[0]?.attempt === 3,
    );
    const page = await open(`/_/_/cron?job=unlucky&run=${first}`, { viewport: phone });
    const attempts = page.getByRole("dialog").getByRole("region", { name: "Attempts" });
    const attempt = (index: number) => attempts.getByRole("listitem").nth(index);
    await attempt(0).getByText("This run").waitFor();
    await checkLooks(page);
    await attempt(1).getByRole("link").click();
    await attempt(1).getByText("This run").waitFor();
    await attempt(2).getByText("Queued").waitFor();
    await attempt(2).getByRole("link").click();
    await page.getByRole("dialog").getByText("Attempt 3 after a failure").waitFor();
    await checkLooks(page);
    await page.keyboard.press("Escape");
    await page.getByRole("region", { name: "Next runs" }).getByText("Queued").waitFor();
    await checkLooks(page);
  });
});

describe("the cron page: jobs", () => {
  it("pauses, resumes, removes and restores a job, and never removes one of the system", async (t) => {
    const { app, open } = await shared(t);
    registerStepped(app, "mine", "My job");
    const page = await open("/_/_/cron?q=My+job");
    const row = rowOf(page, "My job");
    await row.locator(".countdown", { hasText: /^in \d+ d/ }).waitFor();

    await button(page, "Pause My job").click();
    await untilTold(page, 'Job "mine" paused.');
    await row.getByText(`by ${account.email}`).waitFor();
    assert.equal((await app.jobs.find("mine")).isPaused, true);
    await button(page, "Resume My job").click();
    await untilTold(page, 'Job "mine" resumed.');
    await row.locator(".countdown").waitFor();

    await button(page, "Remove My job").click();
    await page.getByText("Its past runs stay stored").waitFor();
    await button(page, "Remove the job").click();
    await untilTold(page, 'Job "mine" removed.');
    await page.getByRole("heading", { name: "Removed jobs" }).waitFor();
    await assert.rejects(app.jobs.find("mine"));
    await button(page, "Restore My job").click();
    await untilTold(page, 'Job "mine" restored.');
    await button(page, "Run My job").waitFor();
    assert.equal((await app.jobs.find("mine")).isRemoved, false);

    await page.locator("[data-search]").fill("System Log Cleanup");
    const systemRow = rowOf(page, "System Log Cleanup");
    await systemRow.getByText("System", { exact: true }).waitFor();
    await systemRow.getByRole("img", { name: /cannot be removed/ }).waitFor();
    assert.equal(await systemRow.getByRole("button", { name: /^Remove/ }).count(), 0);
  });

  it("filters, searches and sorts, and keeps that in the address", async (t) => {
    const { app, open } = await dashboard.start(t);
    app.jobs.registerJob("bad", "Broken job", "", never, () => {
      throw new Error("It does not work");
    });
    await runToEnd(app, "bad");
    await app.jobs.pause("backup");
    const page = await open("/_/_/cron");
    const names = () => page.locator(".cron-jobs .job-name").allTextContents();
    await page.locator(".cron-jobs tbody tr").first().getByText("Broken job").waitFor();
    await page.getByRole("button", { name: /^Failing/ }).click();
    await page.locator(".cron-jobs tbody tr").nth(1).waitFor({ state: "detached" });
    assert.deepEqual(await names(), ["Broken job"]);
    await page.getByRole("button", { name: /^Paused/ }).click();
    await rowOf(page, "Weekly backup").waitFor();
    assert.deepEqual(await names(), ["Weekly backup"]);
    await page.getByRole("button", { name: /^All/ }).click();
    await rowOf(page, "Broken job").waitFor();
    await page.getByLabel("Order", { exact: true }).selectOption("name");
    await page.waitForFunction(
      "document.querySelector('.cron-jobs .job-name').textContent === 'Archive done todos'",
    );
    await page.keyboard.press("Escape");
    await page.locator("h1").click();
    await page.keyboard.press("/");
    await page.keyboard.type("every 5");
    await page.waitForFunction("document.querySelectorAll('.cron-jobs .job-name').length === 1");
    assert.deepEqual(await names(), ["Send reminders"]);
    assert.match(page.url(), /sort=name&q=every\+5/);
    await page.reload();
    await rowOf(page, "Send reminders").waitFor();
    assert.equal(await page.locator("[data-search]").inputValue(), "every 5");
    await page.locator("[data-search]").fill("nothing of the kind");
    await page.getByText("No job matches").waitFor();
  });

  it("shows a job with its durations, its options, its next runs and its runs, and hands them out as CSV", async (t) => {
    const { app, open } = await shared(t);
    let count = 0;
    app.jobs.registerJob(
      "many",
      "=Many runs",
      "Runs often",
      "30 2 * * *",
      () => {
        if (++count === 3) throw new Error("The third one fails");
      },
      { timezone: "Asia/Tokyo", timeoutMs: 90_000, overlap: "allow", catchUp: "once" },
    );
    for (let run = 0; run < 23; run++) await runToEnd(app, "many");
    const page = await open("/_/_/cron?job=many");
    await page.locator("h1", { hasText: "=Many runs" }).waitFor();
    for (const text of ["Asia/Tokyo", "Allowed", "1 min 30 s", "At 02:30", "23, 1 of them unsuccessful"]) {
      await page.getByText(new RegExp(text, "i")).first().waitFor();
    }
    assert.equal(await page.locator(".next-runs li").count(), 10);
    assert.equal(await page.locator(".scatter .dot").count(), 23);
    assert.equal(await page.locator(".scatter .dot.failed").count(), 1);
    await page.locator(".scatter summary").click();
    await page.getByRole("region", { name: "Durations, as a table" }).waitFor();

    const rows = page.locator(".cron-runs tbody tr");
    await page.getByText("1–20 of 23 runs").waitFor();
    const downloading = page.waitForEvent("download");
    await button(page, "CSV").click();
    const lines = readFileSync(await (await downloading).path(), "utf8")
      .trimEnd()
      .split("\r\n");
    assert.equal(lines.length, 21);
    assert.match(lines[1]!, /^\w+,'=Many runs,2\d{3}-.*,success,\d+,manual,ada@example\.com,1,\w{18},[^,]+$/);
    await button(page, "Next page").click();
    await page.getByText("21–23 of 23 runs").waitFor();
    assert.equal(await rows.count(), 3);
    await button(page, "Unsuccessful").click();
    await page.getByText("1 of 1 runs").waitFor();
    await rows.first().getByRole("link").first().click();
    await drawer(page).locator(".level-error", { hasText: "The third one fails" }).waitFor();
    const trace = await drawer(page).getByRole("link", { name: "Log records" }).getAttribute("href");
    assert.match(trace!, /\/_\/_\/logs\?.*q=trace%3A\w{18}/);
    const errors = drawer(page).getByRole("link", { name: "Errors of this job" });
    assert.match((await errors.getAttribute("href"))!, /\/errors\?q=job\+/);
    const request = drawer(page).getByRole("link", { name: "The request that started it" });
    assert.match((await request.getAttribute("href"))!, /\/_\/_\/requests\?.*trace=\w{18}/);
  });
});

describe("the cron page: time", () => {
  it("shows past and planned runs on a timeline, by pointer, by keyboard and as a table", async (t) => {
    // The timeline shows twelve jobs at first.
    const { app, open } = await dashboard.start(t);
    // Half an hour away, so that it does not run during the test.
    const schedule = `${(new Date().getUTCMinutes() + 30) % 60} * * * *`;
    app.jobs.registerJob("flaky", "Flaky job", "", schedule, () => {
      throw new Error("No");
    });
    await runToEnd(app, "flaky");
    const page = await open("/_/_/cron");
    const lane = page.locator(".gantt-row", { hasText: "Flaky job" });
    await lane.locator(".gantt-mark.failed").focus();
    await lane.locator(".gantt-tip", { hasText: /^Failed after/ }).waitFor();
    await page.keyboard.press("ArrowRight");
    await lane.locator(".gantt-tip", { hasText: /runs planned, every 1 h/ }).waitFor();
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("Enter");
    await drawer(page).locator(".level-error", { hasText: "No" }).waitFor();
    await page.keyboard.press("Escape");
    await page.locator(".gantt-now").waitFor();
    await page.getByText("As a table").last().click();
    await page.getByRole("row", { name: /Flaky job Failed after/ }).waitFor();

    await page.getByRole("button", { name: "±1 h" }).click();
    await page.waitForURL(/span=1h/);
    await lane.locator(".gantt-mark.failed").waitFor();
    const now = Date.now();
    await page.goto(`/_/_/cron?from=${now - 3_600_000}&to=${now - 1_800_000}`);
    await page.getByText("the window selected above").waitFor();
    await page.getByText("No past or planned runs in this period").waitFor();
  });

  it("changes the timezone, and shows before what that does", async (t) => {
    const { app, open } = await dashboard.start(t);
    const page = await open("/_/_/cron", { expects: /400/ });
    await button(page, "Change the time zone…").click();
    const field = page.getByRole("combobox", { name: "New time zone" });
    await field.fill("Mars/Olympus");
    await page.keyboard.press("Enter");
    await page.getByText('"Mars/Olympus" is not a valid time zone').waitFor();
    assert.equal(await field.getAttribute("aria-invalid"), "true");
    assert.equal(await button(page, "Change").isDisabled(), true);

    await field.fill("tokyo");
    await page.getByRole("option", { name: "Asia/Tokyo" }).waitFor();
    await page.keyboard.press("Enter");
    const example = page.getByRole("table", { name: "Next runs of Archive done todos" });
    await page.locator("summary", { hasText: "Archive done todos" }).click();
    if (!(await example.isVisible()))
      await page.locator("summary", { hasText: "Archive done todos" }).click();
    await example.getByText("02:30").first().waitFor();
    assert.equal(await example.locator("tbody tr").count(), 5);
    assert.match(
      await example.locator("tbody tr").first().innerText(),
      /02:30\s.*11:30 in Asia\/Tokyo\s+.*02:30\s.*17:30 in UTC/s,
    );
    await button(page, "Change to Asia/Tokyo").click();
    await untilTold(page, "Time zone set to Asia/Tokyo.");
    await page.locator(".cron-zone", { hasText: "Asia/Tokyo" }).waitFor();
    assert.equal((await app.jobs.status()).timezone, "Asia/Tokyo");
  });
});

describe("the list of timezones", () => {
  it("may arrive after a timezone was entered", async (t) => {
    const { open } = await shared(t);
    const page = await open("/_/_/cron");
    const entered = Promise.withResolvers<void>();
    await page.route("**/data/cron/timezones", async (route) => {
      await entered.promise;
      await route.continue();
    });
    await button(page, "Change the time zone…").click();
    await page.getByRole("combobox", { name: "New time zone" }).fill("tokyo");
    await page.keyboard.press("Enter");
    entered.resolve();
    await button(page, "Change to Asia/Tokyo").waitFor();
  });
});

describe("the cron page by keyboard only", () => {
  it("opens a job, runs it and reports its end", async (t) => {
    const { app, open } = await dashboard.start(t);
    const job = registerStepped(app, "keys", "Keyboard job");
    const page = await open("/_/_/cron");
    await rowOf(page, "Keyboard job").waitFor();
    await tabTo(page, "Keyboard job");
    await page.keyboard.press("Enter");
    await page.locator("h1", { hasText: "Keyboard job" }).waitFor();
    await button(page, "Run Keyboard job").waitFor();
    await tabTo(page, "Run Keyboard job");
    await page.keyboard.press("Enter");
    const { log, finish } = await job.next();
    log.info("By keyboard");
    await drawer(page).getByText("By keyboard").waitFor();
    finish();
    await drawer(page)
      .getByRole("status")
      .filter({ hasText: /^Succeeded after/ })
      .waitFor({ state: "attached" });
    await page.keyboard.press("Escape");
    await drawer(page).waitFor({ state: "detached" });
    await page.locator("[aria-label='Run Keyboard job']:focus").waitFor();
    await page.locator(".cron-runs tbody tr", { hasText: "Succeeded" }).waitFor();
  });
});

function nameOfFocus(page: Page): Promise<string> {
  return page.evaluate("document.activeElement.ariaLabel ?? document.activeElement.textContent");
}

async function tabTo(page: Page, name: string): Promise<void> {
  for (let presses = 0; presses < 120; presses++) {
    await page.keyboard.press("Tab");
    if ((await nameOfFocus(page)) === name) return;
  }
  assert.fail(`The tabulator does not reach ${name}`);
}

/** A bit of everything that the page can show. */
async function fill(t: TestContext): Promise<Dashboard & { runId: string }> {
  const started = await dashboard.start(t);
  const { app } = started;
  app.jobs.registerJob("bad", "Broken job", "It never worked", never, (log) => {
    for (const level of ["start", "info", "success", "complete", "warn", "error"] as const)
      log[level](`A ${level}`);
    throw new Error("It does not work");
  });
  const endless = registerStepped(
    app,
    "endless",
    "Endless job with a name that is rather long for a telephone",
  );
  registerStepped(app, "gone", "Gone job");
  const runId = await runToEnd(app, "bad");
  await runToEnd(app, "count");
  await app.jobs.run("endless", { actor: account.email });
  (await endless.next()).log.progress(0.3);
  await app.jobs.pause("backup", { actor: account.email });
  await app.jobs.remove("gone", { actor: account.email });
  return { ...started, runId };
}

describe("the look of the cron page", () => {
  it("is accessible and no wider than the window, in every look", async (t) => {
    const { open, runId } = await fill(t);
    const page = await open("/_/_/cron", { viewport: phone });
    await rowOf(page, "Broken job").waitFor();
    await page.locator(".gantt-lane .failed").first().waitFor();
    await checkLooks(page);
    await button(page, "Change the time zone…").click();
    await page.getByRole("combobox", { name: "New time zone" }).fill("berlin");
    await page.keyboard.press("Enter");
    await page.locator(".zone-example").first().waitFor();
    await checkLooks(page);
    await page.goto(`/_/_/cron?job=bad&run=${runId}`);
    await drawer(page).locator(".level-error").first().waitFor();
    await checkLooks(page);
    await button(page, "Close").click();
    await page.locator(".cron-runs tbody tr").waitFor();
    await page.locator(".gantt-lane .failed").first().waitFor();
    await checkLooks(page);
  });

  it("can do everything on a phone", async (t) => {
    const { open } = await fill(t);
    const page = await open("/_/_/cron", { viewport: phone });
    await button(page, "Run Broken job").click();
    await drawer(page).locator(".run-state", { hasText: "Failed" }).waitFor();
    await button(page, "Close").click();
    for (const act of ["Pause", "Remove"]) await button(page, `${act} Broken job`).waitFor();
    await button(page, "Restore Gone job").waitFor();
  });
});
