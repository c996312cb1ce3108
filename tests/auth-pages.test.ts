import assert from "node:assert/strict";
import { after, before, describe, type TestContext, test } from "node:test";
import type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright-core";
import { ada, createTestServer } from "../src/auth/testing/server.ts";
import { until } from "../src/lib/testing/until.ts";
import { systemClock } from "../src/lib/time/clock.ts";
import { checkLooks, desktop, phone, tablet } from "./support/accessibility.ts";
import { launchBrowser, openWindow } from "./support/browser.ts";

let browser: Browser;
before(async () => {
  browser = await launchBrowser();
});
after(() => browser.close());

/** The test that opened a window. */
const owners = new WeakMap<BrowserContext, TestContext>();

/** A fresh server on a real port, and the link that it prints. */
async function startServer(t: TestContext) {
  let ahead = 0;
  const clock = { ...systemClock, now: () => systemClock.now() + ahead };
  const { listener, auth } = await createTestServer(t, { clock });
  const { port } = await listener.listen("127.0.0.1", 0);
  t.after(async () => {
    // A page that is still loading would complain that the server is gone.
    for (const context of browser.contexts()) if (owners.get(context) === t) await context.close();
    await listener.close(0);
  });
  const base = `http://127.0.0.1:${port}`;
  const jump = (milliseconds: number) => {
    ahead += milliseconds;
  };
  return { base, auth, jump, link: (await auth.createSetupLink(base))! };
}

async function startOwnedServer(t: TestContext) {
  const server = await startServer(t);
  await server.auth.superusers.create(ada.identity, ada.password);
  return server;
}

/** A page in a window of its own. The test fails if it complains, or asks any other server for anything. */
async function openPage(t: TestContext, base: string, options: BrowserContextOptions = {}): Promise<Page> {
  const context = await openWindow(browser, { baseURL: base, ...options });
  owners.set(context, t);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("console", (message) => {
    // A form that is refused comes back with a status that says so, and the browser notes it.
    const isRefusal = /status of 400/.test(message.text());
    if (message.type() === "error" && !isRefusal) complaints.push(message.text());
  });
  page.on("request", (request) => {
    if (new URL(request.url()).origin !== base) complaints.push(`asked ${request.url()}`);
  });
  t.after(() => assert.deepEqual(complaints, []));
  return page;
}

const heading = (page: Page) => page.locator("h1").textContent();
const textOf = async (page: Page, role: "status" | "alert") => (await page.getByRole(role).textContent())!;
const builder = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();

async function signIn(page: Page, { identity, password } = ada): Promise<void> {
  await page.goto("/_/");
  await page.getByLabel("Email").fill(identity);
  await page.getByLabel("Password").fill(password);
  await builder(page, "Sign in");
}

async function createFirst(page: Page, link: string): Promise<void> {
  await page.goto(link);
  await page.getByLabel("Email").fill(ada.identity);
  await page.getByLabel("Password", { exact: true }).fill(ada.password);
  await page.getByLabel("Repeat the password").fill(ada.password);
  await builder(page, "Create superuser");
}

for (const javaScriptEnabled of [true, false]) {
  describe(`the pages, with scripts ${javaScriptEnabled ? "on" : "off"}`, () => {
    test("the first superuser is created with the link, signs out and in again", async (t) => {
      const { base, link } = await startServer(t);
      const page = await openPage(t, base, { javaScriptEnabled });
      await createFirst(page, link);
      assert.equal(await heading(page), "Your account");
      assert.equal(new URL(page.url()).search, "");
      await builder(page, "Sign out");
      assert.equal(await textOf(page, "status"), "You are signed out.");
      await signIn(page);
      assert.equal(await heading(page), "Your account");
      await page.reload();
      assert.equal(await heading(page), "Your account");
    });

    test("a wrong password keeps the email, and the right one leads to where one was going", async (t) => {
      const { base } = await startOwnedServer(t);
      const page = await openPage(t, base, { javaScriptEnabled });
      await signIn(page, { ...ada, password: "indifference" });
      assert.equal(await textOf(page, "alert"), "Invalid email or password.");
      assert.equal(await page.getByLabel("Email").inputValue(), ada.identity);
      assert.equal(await page.getByLabel("Password").inputValue(), "");
      await page.goto("/_/?next=%2F_%2Fassets%2Flogo.svg");
      await page.getByLabel("Email").fill(ada.identity);
      await page.getByLabel("Password").fill(ada.password);
      await builder(page, "Sign in");
      assert.equal(page.url(), `${base}/_/assets/logo.svg`);
    });

    test("superusers are added and removed", async (t) => {
      const { base, auth } = await startOwnedServer(t);
      const page = await openPage(t, base, { javaScriptEnabled });
      await signIn(page);
      await page.getByText("Add a superuser").click();
      await page.locator("#add-email").fill("grace@example.com");
      await page.locator("#add-password").fill("compiler bug");
      await page.locator("#add-passwordConfirm").fill("compiler bug");
      await builder(page, "Add superuser");
      await page.getByRole("link", { name: "Remove grace@example.com" }).click();
      assert.equal(await heading(page), "Remove this superuser?");
      await builder(page, "Remove");
      assert.equal(await textOf(page, "status"), "Superuser removed.");
      assert.equal((await auth.superusers.list()).length, 1);
    });

    test("long after the sign-in, adding and removing needs the password", async (t) => {
      const { base, auth, jump } = await startOwnedServer(t);
      const page = await openPage(t, base, { javaScriptEnabled });
      await signIn(page);
      jump(11 * 60_000);
      await page.goto("/_/");
      await page.getByText("Add a superuser").click();
      await page.locator("#add-email").fill("grace@example.com");
      await page.locator("#add-password").fill("compiler bug");
      await page.locator("#add-passwordConfirm").fill("compiler bug");
      await page.locator("#add-currentPassword").fill("indifference");
      await builder(page, "Add superuser");
      assert.equal(
        await page.locator("#add-currentPassword-problem").textContent(),
        "The current password is wrong.",
      );
      await page.locator("#add-password").fill("compiler bug");
      await page.locator("#add-passwordConfirm").fill("compiler bug");
      await page.locator("#add-currentPassword").fill(ada.password);
      await builder(page, "Add superuser");
      assert.match(await textOf(page, "status"), /added/);
      await page.getByRole("link", { name: "Remove grace@example.com" }).click();
      await page.getByLabel("Your current password").fill(ada.password);
      await builder(page, "Remove");
      assert.equal(await textOf(page, "status"), "Superuser removed.");
      assert.equal((await auth.superusers.list()).length, 1);
    });

    test("sessions are listed, and ended one by one or all others together", async (t) => {
      const { base } = await startOwnedServer(t);
      const [page, second, third] = [
        await openPage(t, base, { javaScriptEnabled }),
        await openPage(t, base, { javaScriptEnabled }),
        await openPage(t, base, { javaScriptEnabled }),
      ];
      for (const each of [page, second, third]) await signIn(each);
      await page.reload();
      assert.equal(await page.locator(".sessions li").count(), 3);
      assert.equal(await page.getByText("This session").count(), 1);
      await page
        .getByRole("button", { name: /^End the session of Chrome on Linux/ })
        .first()
        .click();
      assert.equal(await textOf(page, "status"), "Session ended.");
      assert.equal(await page.locator(".sessions li").count(), 2);
      await builder(page, "End all others");
      assert.equal(await textOf(page, "status"), "All other sessions and tokens ended.");
      assert.equal(await page.locator(".sessions li").count(), 1);
      for (const other of [second, third]) {
        await other.reload();
        assert.equal(await heading(other), "Sign in");
      }
      await page.reload();
      assert.equal(await heading(page), "Your account");
    });

    test("a changed password signs out the other browser and not this one", async (t) => {
      const { base } = await startOwnedServer(t);
      const [page, other] = [
        await openPage(t, base, { javaScriptEnabled }),
        await openPage(t, base, { javaScriptEnabled }),
      ];
      for (const each of [page, other]) await signIn(each);
      await page.locator("summary", { hasText: "Change password" }).click();
      await page.locator("#password-oldPassword").fill(ada.password);
      await page.locator("#password-password").fill("analytical engine");
      await page.locator("#password-passwordConfirm").fill("analytical engine");
      await builder(page, "Change password");
      assert.match(await textOf(page, "status"), /Password changed/);
      await other.reload();
      assert.equal(await heading(other), "Sign in");
    });
  });
}

test("everything can be done with the keyboard, and the focus is always to be seen", async (t) => {
  const { base } = await startOwnedServer(t);
  const page = await openPage(t, base);
  const focused = () =>
    page.evaluate<string>(`(() => {
      const { id, textContent } = document.activeElement;
      const { outlineStyle, outlineWidth } = getComputedStyle(document.activeElement);
      const isVisible = outlineStyle !== "none" && outlineWidth !== "0px";
      return (isVisible ? "" : "unseen ") + (id || textContent.trim());
    })()`);
  const tab = async (key = "Tab") => {
    await page.keyboard.press(key);
    return focused();
  };

  // The browser moves the focus of a new page with its first frame.
  const untilFocused = (id: string) => until(`${id} has the focus`, focused, (name) => name === id);

  await page.goto("/_/");
  await untilFocused("sign-in-identity");
  await page.keyboard.type(ada.identity);
  assert.equal(await tab(), "sign-in-password");
  await page.keyboard.type("indifference");
  await page.keyboard.press("Enter");
  await page.getByRole("alert").waitFor();
  await untilFocused("sign-in-password");
  await page.keyboard.type(ada.password);
  assert.equal(await tab(), "Sign in");
  await page.keyboard.press("Enter");
  await page.waitForURL("**/_/");

  for (const stop of ["Annex", "Sign out", "Change password", "Add a superuser"])
    assert.equal(await tab(), stop);
  await page.keyboard.press("Enter");
  assert.equal(await tab(), "add-email");
  for (const stop of ["Add a superuser", "Change password", "Sign out"])
    assert.equal(await tab("Shift+Tab"), stop);
  await page.keyboard.press("Enter");
  await page.waitForURL("**/_/?done=signed-out");
});

test("every page is accessible and fits, dark and light, at every width", async (t) => {
  const { base, auth, link, jump } = await startServer(t);
  const page = await openPage(t, base, { viewport: phone });
  const longest = `${"grace".repeat(20)}@example.com`;
  const visit = async (url: string) => {
    await page.goto(url);
    await assertGood(page);
  };

  await visit("/_/");
  await visit("/_/?setup=void");
  await visit(link);
  await createFirst(page, link);
  await auth.superusers.create(longest, ada.password);
  for (const agent of agents) await signInProgram(base, agent);
  jump(3 * 3_600_000);
  await visit("/_/?done=added");
  for (const summary of await page.locator("summary").all()) await summary.click();
  await assertGood(page);
  await page.getByRole("link", { name: `Remove ${longest}` }).click();
  await assertGood(page);
  await page.goto("/_/");
  await builder(page, "Sign out");
  await assertGood(page);
  await signIn(page, { ...ada, password: "indifference" });
  await assertGood(page);
});

const agents = [
  "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1",
  "a-program-with-quite-a-long-name-indeed/1.0",
  "curl/8.5.0",
];

async function signInProgram(base: string, agent: string): Promise<void> {
  await fetch(`${base}/api/collections/_superusers/auth-with-password`, {
    method: "POST",
    headers: { "content-type": "application/json", "user-agent": agent },
    body: JSON.stringify(ada),
  });
}

/** No violation of WCAG 2.2 AA or of good practice, nothing wider than the window, and our own style in effect. */
async function assertGood(page: Page): Promise<void> {
  await checkLooks(page, [phone, tablet, desktop]);
  assert.equal(await page.evaluate("getComputedStyle(document.querySelector('.card')).borderRadius"), "16px");
}
