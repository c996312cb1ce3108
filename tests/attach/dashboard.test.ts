import assert from "node:assert/strict";
import type { RequestListener } from "node:http";
import { describe, it } from "node:test";
import { type ArgumentsHost, HttpException, type INestApplication } from "@nestjs/common";
import { BaseExceptionFilter } from "@nestjs/core";
import type { Page } from "playwright-core";
import type { App } from "../../src/index.ts";
import { type Cleanup, share } from "../../src/lib/testing/share.ts";
import { createTemporaryFolder } from "../../src/lib/testing/temporary-folder.ts";
import {
  account,
  checkAccessibility,
  checkWidths,
  createAccount,
  desktop,
  phone,
  type StartedApp,
  tablet,
  untilCounted,
  useDashboard,
} from "../support/dashboard.ts";
import { attach } from "./hosts/attached.ts";
import { expressKinds } from "./hosts/express.ts";
import type { Host, HostKind } from "./hosts/host.ts";
import { nestKinds } from "./hosts/nest.ts";

/** The dashboard of an application that has its own server, in a browser. */

const dashboard = useDashboard();

const kinds: readonly HostKind[] = [
  expressKinds.find(({ name }) => name === "Express 5")!,
  nestKinds.find(({ name }) => name === "NestJS on Express")!,
];

/** Where the error of `/throw` is thrown. */
const files: Record<string, string> = {
  Express: "tests/attach/hosts/express.ts",
  NestJS: "tests/attach/hosts/nest.ts",
};

/** The address of each page, and an element that appears with its data. */
const pages: readonly (readonly [address: string, loaded: string])[] = [
  ["/_/_", ".attention"],
  ["/_/_/requests", ".requests tbody a"],
  ["/_/_/requests?tab=routes", ".table tbody a"],
  ["/_/_/requests?tab=slowest", ".table tbody a"],
  ["/_/_/errors", ".error-row"],
  ["/_/_/visitors", ".visit-privacy"],
  ["/_/_/cron", ".cron-jobs .job-name"],
  ["/_/_/cron?job=report", ".job-parts"],
  ["/_/_/logs", ".record-text"],
  ["/_/_/access", "main h1"],
  ["/_/_/api", ".empty"],
  ["/_/_/config", ".config-group, main h2"],
  ["/_/_/config?tab=storage", ".storage-bar"],
];

const widths = [desktop.width, tablet.width, phone.width];

async function call(url: string, path: string): Promise<string> {
  const response = await fetch(url + path);
  await response.arrayBuffer();
  return response.headers.get("x-trace-id")!;
}

/** Middleware that responds, as for static files, has no route. */
function serveAssets({ target }: Host): void {
  const app = target as { use(path: string, handler: RequestListener): void };
  app.use("/assets", (_request, response) => void response.end("asset"));
}

/** NestJS handles every error, so an application reports them in a filter. */
function reportErrors(annex: App, { target }: Host): void {
  const app = target as INestApplication;
  class ReportErrors extends BaseExceptionFilter {
    override catch(error: unknown, host: ArgumentsHost): void {
      const isExpected = error instanceof HttpException && error.getStatus() < 500;
      if (!isExpected) annex.reportError(error, host.switchToHttp().getRequest());
      super.catch(error, host);
    }
  }
  app.useGlobalFilters(new ReportErrors(app.getHttpAdapter()));
}

async function start(cleanup: Cleanup, kind: HostKind): Promise<StartedApp> {
  const dataDir = createTemporaryFolder();
  const options = { dataDir, log: { destination: `${dataDir}/log` } };
  const { annex, url } = await attach(cleanup, kind, options, (app, host) => {
    app.jobs.registerJob("report", "Nightly report", "Sends the report.", "0 3 * * *", (log) => {
      log.info("The report is sent");
    });
    serveAssets(host);
    if (!kind.knowsErrors) reportErrors(app, host);
  });
  await createAccount(annex);
  for (const path of ["/json", "/orgs/7/users/9", "/orgs/8/users/1", "/throw", "/nowhere", "/assets/1"])
    await call(url, path);
  await untilCounted(annex, "GET /orgs/{org}/users/{user}", 2);
  return { app: annex, url, dataDir };
}

const drawer = (page: Page) => page.locator("dialog.drawer");

for (const kind of kinds) {
  describe(`the dashboard on ${kind.name}`, () => {
    const started = share((cleanup) => start(cleanup, kind));

    it("opens with a sign-in, and every page fits every width", async (t) => {
      const { url, open } = dashboard.watch(t, await started());
      const page = await open("/_/_", { signedIn: false });
      await page.getByLabel("Email").fill(account.email);
      await page.getByLabel("Password").fill(account.password);
      await page.getByRole("button", { name: "Sign in" }).click();
      await page.waitForURL(`${url}/_/_`);
      for (const [address, loaded] of pages) {
        await page.goto(address);
        await page.locator(loaded).first().waitFor({ state: "attached" });
        await checkWidths(page, widths);
      }
    });

    it("says what does not apply to the routes and the server of the application", async (t) => {
      const { open } = dashboard.watch(t, await started());
      const page = await open("/_/_/api");
      await page.getByText(`The routes of ${kind.framework} are not documented`).waitFor();
      await checkAccessibility(page);
      await page.getByRole("link", { name: "Show their metrics" }).click();
      await page.waitForURL(/\/requests\?.*tab=routes/);
      await page.goto("/_/_/config");
      await page.getByText(`Annex is attached to ${kind.framework}.`).waitFor();
      await checkAccessibility(page);
    });

    it("shows requests as they come in, and their routes by pattern", async (t) => {
      const { url, open } = dashboard.watch(t, await started());
      const page = await open("/_/_/requests");
      await page.locator(".requests tbody a").first().waitFor();
      const trace = await call(url, "/orgs/9/users/2");
      const row = page.locator(".requests tbody tr", { hasText: trace });
      await row.waitFor();
      assert.match((await row.textContent())!, /GET\/orgs\/9\/users\/2200/);
      await row.locator("a").click();
      const route = "GET /orgs/{org}/users/{user}";
      await drawer(page).getByText(route, { exact: true }).first().waitFor();

      await page.goto("/_/_/requests?tab=routes");
      await page.getByRole("link", { name: "GET /json", exact: true }).waitFor();
      await page.getByRole("link", { name: "Unmatched (404)" }).waitFor();
      await page.getByRole("link", { name: route, exact: true }).click();
      await page.getByRole("heading", { name: route }).waitFor();
      await page.getByRole("link", { name: "Show requests" }).click();
      await row.waitFor();

      await page.goto("/_/_/requests?tab=routes");
      await page.getByRole("link", { name: "GET Unknown route", exact: true }).click();
      await page.getByRole("link", { name: "Show requests" }).click();
      await page.locator(".requests tbody tr", { hasText: "/assets/1" }).waitFor();
      assert.equal(await row.count(), 0);
    });

    it("shows an error with its cause and the request", async (t) => {
      const { open } = dashboard.watch(t, await started());
      const page = await open("/_/_/errors");
      const row = page.locator(".error-row", { hasText: "thrown" });
      await row.getByRole("link", { name: "GET /throw" }).waitFor();
      await row.locator(".error-name").click();
      await drawer(page).getByRole("heading", { name: "Stack" }).waitFor();
      await drawer(page).locator(".call-stack .own").first().getByText(files[kind.framework]!).waitFor();
      await drawer(page).locator(".error-causes").getByText("The store is closed").first().waitFor();
      const trace = drawer(page).locator("table.table a.mono").first();
      const id = await trace.textContent();
      await trace.click();
      await page.waitForURL(/\/_\/_\/requests\?/);
      assert.equal(new URL(page.url()).searchParams.get("trace"), id);
      await drawer(page).getByText("GET /throw", { exact: true }).first().waitFor();
    });

    it("runs a job", async (t) => {
      const { open } = dashboard.watch(t, await started());
      const page = await open("/_/_/cron");
      await page.getByRole("button", { name: "Run Nightly report", exact: true }).click();
      await drawer(page).locator(".run-state", { hasText: "Succeeded" }).waitFor();
      await drawer(page).getByText("The report is sent").waitFor();
    });
  });
}
