import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { insertManyRuns } from "../src/features/cron/testing/many-runs.ts";
import type { App } from "../src/index.ts";
import { until } from "../src/lib/testing/until.ts";
import { account, checkAccessibility, checkWidths, useDashboard } from "./support/dashboard.ts";

const dashboard = useDashboard();
const cleanup = "__svcLogClean__";

/** One a minute. Their deletion lasts until the page has shown it: 400 steps, with a pause of 10 ms after each one. */
const manyRuns = 40_000;

async function insertRuns(app: App): Promise<void> {
  await insertManyRuns(await app.database(), { count: manyRuns, jobs: 20, until: Date.now() });
}

describe("deletions on the Storage page", () => {
  it("show how far they are, end, and leave what does not fit", async (t) => {
    const { app, open } = await dashboard.start(
      t,
      { cron: { logRetentionHours: 24, maxRuns: 1_000 } },
      insertRuns,
    );
    const page = await open("/_/_/config?tab=storage");
    const kept = page.getByRole("table", { name: "Stored data" });
    await kept.waitFor();
    const { id } = await app.jobs.run(cleanup);
    await page.reload();
    const removing = kept.getByText(/^removing: [\d,]+ of about [\d,]+ runs$/);
    await removing.waitFor();
    await checkWidths(page, [1440, 1024, 834, 390]);
    const run = await until(
      "the clean-up ends",
      () => app.jobs.findRun(id),
      ({ status }) => status !== "running",
    );
    assert.equal(run.status, "success");
    await removing.waitFor({ state: "detached" });
    // A thousand runs, one a minute.
    await kept.getByText("16 of 24 hours of job runs fit", { exact: true }).waitFor();
    await checkWidths(page, [1440, 1024, 834, 390]);
    await checkAccessibility(page);
  });
});

describe("the tile of errors on the overview", () => {
  it("is marked from the configured share on", async (t) => {
    const { app, url, open } = await dashboard.start(t, { health: { errorPercent: 90 } });
    for (let count = 0; count < 3; count++) await app.inject({ url: "/api/v1/todos" });
    for (let count = 0; count < 5; count++) await app.inject({ method: "POST", url: "/demo/fail" });
    const page = await open("/_/_");
    const tile = page
      .getByRole("list", { name: "Metrics" })
      .getByRole("listitem")
      .filter({ hasText: "Errors" });
    // Sign-ins are requests, too.
    await tile.getByText(/^[3-6]\d %$/).waitFor();
    await page.getByText("Degraded").or(page.getByText("Healthy")).first().waitFor();
    assert.equal(await tile.locator(".bad").count(), 0);
    const signedIn = await fetch(`${url}/api/collections/_superusers/auth-with-password`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ identity: account.email, password: account.password }),
    });
    const { token } = (await signedIn.json()) as { token: string };
    const { status } = await app.inject({
      method: "PUT",
      url: "/_/_/data/config/health.errorPercent",
      headers: { authorization: `Bearer ${token}` },
      body: { value: 20 },
    });
    assert.equal(status, 200);
    await tile.locator(".bad").waitFor();
  });
});
