/** An application outside of the repository: every public name, as a newcomer would write it. Compiled and run by `package.test.ts`. */
import {
  ApiError,
  type App,
  type AppOptions,
  bodyLimit,
  type CRUDHandlers,
  createApp,
  type ExecutionLogger,
  errorWithContext,
  type Handler,
  infoWithContext,
  type JobManager,
  type JobOptions,
  type Middleware,
  type RequestEvent,
  type Router,
  requireAuth,
  requireSuperuserAuth,
  type ServeEvent,
  StartError,
  setupLogging,
  setupRecovery,
  type TerminateEvent,
} from "annex";

const options: AppOptions = {
  port: 0,
  dataDir: "./data",
  logLevel: "debug",
  log: { destination: "./app.log" },
};
const app: App = createApp(options);
setupLogging(app);

const getThing: Handler = async (e) => e.json(200, { id: e.pathValue("id"), level: e.app.logger.level });
const things: CRUDHandlers = { list: (e) => e.json(200, []), get: getThing, create: (e) => e.noContent() };
const stamp: Middleware = {
  id: "stamp",
  priority: -1,
  func(e) {
    e.setHeader("x-stamp", "1");
    return e.next();
  },
};

function register(router: Router): void {
  router.bind(stamp);
  router.bindFunc((e) => e.next());
  router.get("/typed/{id}/{rest...}", (e) =>
    e.json(200, { id: e.pathValue("id"), rest: e.pathValue("rest") }),
  );
  // @ts-expect-error: the route has no such path value
  router.get("/untyped/{id}", (e) => e.text(200, e.pathValue("nope")));
  router
    .setPrefix("/tenants/{tenant}")
    .get("/users/{id}", (e) => e.text(200, e.pathValue("tenant") + e.pathValue("id")));
  router.crud("things", things, requireAuth());
  router.post("/upload", async (e) => e.json(200, await e.bindBody<{ a: number }>())).bind(bodyLimit(100));
  router.get("/secret", (e) => e.json(200, { id: e.auth!.id })).bind(requireSuperuserAuth());
  router.get("/error", (e: RequestEvent) => {
    throw e.error(418, "No coffee", { pot: "tea" });
  });
  router.get("/thrown", () => {
    throw new ApiError(409, "Taken");
  });
  router.get("/logged", (e) => {
    infoWithContext(e, app, "Looked", { at: "it" });
    errorWithContext(null, app, "Broke", new Error("why"));
    return e.html(200, "<p>ok");
  });
}

app.onServe(
  (e: ServeEvent) => {
    setupRecovery(app, e);
    register(e.router);
  },
  { id: "routes", priority: 1 },
);
let terminated: boolean | undefined;
app.onTerminate((e: TerminateEvent) => {
  terminated = e.isRestart;
});
app.authenticate((e) => (e.header("x-user") === undefined ? null : { id: e.header("x-user")! }));
const jobs: JobManager = app.jobs;
const jobOptions: JobOptions = { timeoutMs: 1_000, overlap: "queue", retries: 1, timezone: "Europe/Berlin" };
const tidy = async ({ start, signal, scheduledAt }: ExecutionLogger) => {
  start(`${signal.aborted} ${scheduledAt.getTime() > 0}`);
};
jobs.registerJob("tidy", "Tidy", "Tidies up", "0 4 * * SUN", tidy, jobOptions);
await app.superusers.create("root@example.com", "correct horse");
const { url } = await app.start();

const status = async (path: string, init?: RequestInit) => (await fetch(url + path, init)).status;
const json = { "content-type": "application/json" };

/** The page for the superuser, and the script that it names. */
async function tryDashboard(): Promise<number[]> {
  const signIn = await fetch(`${url}/api/collections/_superusers/auth-with-password`, {
    method: "POST",
    headers: json,
    body: JSON.stringify({ identity: "root@example.com", password: "correct horse" }),
  });
  const { token } = (await signIn.json()) as { token: string };
  const page = await fetch(`${url}/_/_`, { headers: { authorization: `Bearer ${token}` } });
  const script = /src="([^"]+)"/.exec(await page.text())?.[1];
  return [page.status, await status(script ?? "/nothing")];
}
const { id: runId, trigger } = await jobs.run("tidy", { actor: "me" });
while ((await jobs.findRun(runId)).status === "running")
  await new Promise((resolve) => setTimeout(resolve, 5));
const results = {
  typed: await (await fetch(`${url}/typed/1/a/b`)).json(),
  tenant: await (await fetch(`${url}/tenants/t/users/u`)).text(),
  list: await status("/things"),
  create: [
    await status("/things", { method: "POST" }),
    await status("/things", { method: "POST", headers: { "x-user": "ada" } }),
  ],
  upload: [
    await status("/upload", { method: "POST", headers: json, body: '{"a":1}' }),
    await status("/upload", { method: "POST", headers: json, body: JSON.stringify({ a: "x".repeat(100) }) }),
  ],
  errors: [
    await status("/error"),
    await status("/thrown"),
    await status("/secret"),
    await status("/nothing"),
  ],
  logged: await status("/logged"),
  page: [await status("/_/"), await status("/_/assets/pages.css"), await status("/api/health")],
  dashboard: await tryDashboard(),
  injected: (await app.inject({ url: "/things/7" })).json(),
  superusers: (await app.superusers.list()).length,
  job: {
    list: (await jobs.list()).map(({ id }) => id),
    trigger,
    level: JSON.parse((await jobs.findRun(runId)).output)[0].level,
    isRunning: (await jobs.status()).isRunning,
  },
};
await app.stop();
console.log(
  JSON.stringify({
    ...results,
    terminated,
    isStartError: new StartError("PORT_IN_USE", "x") instanceof Error,
  }),
);
