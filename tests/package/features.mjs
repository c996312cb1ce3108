/**
 * Uses every feature of a running application once, and prints the results as one line of JSON. `annex` is the package as
 * the program has loaded it: with `import` or with `require`. The application runs until it gets a signal.
 */
export async function useEveryFeature(annex) {
  const { createApp, initializeVersionedSystemWithRoutes, rateLimit, compress, sql } = annex;
  const routes = (router) => {
    router.get("/api/v1/notes", async (e) =>
      e.json(200, await (await app.database()).tables().selectFrom("notes").selectAll().execute()),
    );
  };
  const config = { title: "Notes", publicSwagger: true };
  const app = createApp({
    port: 0,
    logLevel: "debug",
    log: { destination: "./app.log" },
    migrations: {
      "001-notes": {
        up: (db, types) => db.schema.createTable("notes").addColumn("text", types.text).execute(),
      },
    },
    versions: initializeVersionedSystemWithRoutes({ v1: { config, routes } }, "v1"),
  });
  app.onServe(({ router }) => {
    router.bind(compress());
    router.get("/page", (e) => e.html(200, "<p>Hello"));
    router.get("/sum", async (e) => {
      const { rows } = await sql`select 1 + 1 as sum`.execute((await app.database()).tables());
      return e.json(200, Number(rows[0].sum));
    });
    router.get("/error", () => {
      throw new Error("broken");
    });
    router.get("/limited", (e) => e.noContent()).bind(rateLimit({ limit: 1, per: "1m" }));
    router.get("/time", (e) => e.sse(() => [{ data: "now" }]));
    router.post("/upload", async (e) => {
      const { name, file } = await e.bindBody();
      return e.json(200, [name, file.name, (await file.bytes()).length]);
    });
    router.upgrade("/echo", (_, socket) => socket.on("message", (data) => socket.send(String(data))));
  });
  app.jobs.registerJob("tidy", "Tidy", "", "0 4 * * *", ({ start }) => start("Tidied"));
  await app.superusers.create("root@example.com", "correct horse");
  const { url } = await app.start();
  const status = async (path, init) => (await fetch(url + path, init)).status;
  const read = async (path, init) => (await fetch(url + path, init)).json();
  const headers = { "content-type": "application/json" };
  const browser = { accept: "text/html", "user-agent": "Mozilla/5.0 (X11; Linux x64) Firefox/150.0" };

  const body = JSON.stringify({ identity: "root@example.com", password: "correct horse" });
  const signIn = "/api/collections/_superusers/auth-with-password";
  const { token } = await read(signIn, { method: "POST", headers, body });
  const asSuperuser = { headers: { authorization: `Bearer ${token}` } };

  const form = new FormData();
  form.set("name", "Ada");
  form.set("file", new Blob(["12345"]), "five.txt");

  const scripted = async (path, init) => {
    const page = await (await fetch(url + path, init)).text();
    const [, script] = /src="([^"]+)"/.exec(page);
    return status(script);
  };

  const run = await app.jobs.run("tidy", { actor: "me" });
  const finished = async () => {
    for (;;) {
      const { status: state, output } = await app.jobs.findRun(run.id);
      if (state !== "running") return [state, JSON.parse(output)[0].message];
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  };

  const found = async (path, isFound) => {
    for (const end = Date.now() + 120_000; Date.now() < end; ) {
      const page = await read(path, asSuperuser);
      if (isFound(page)) return true;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    return false;
  };

  const results = {
    route: await read("/sum"),
    page: await status("/page", { headers: browser }),
    error: await status("/error"),
    limited: [await status("/limited"), await status("/limited")],
    upload: await read("/upload", { method: "POST", body: form }),
    events: (await (await fetch(`${url}/time`)).text()).trim(),
    socket: await echo(`${url.replace("http", "ws")}/echo`),
    versioned: await read("/api/v1/notes"),
    document: Object.keys((await read("/api/docs/v1/spec")).paths),
    docs: await scripted("/api/docs/v1/swagger"),
    dashboard: await scripted("/_/_", asSuperuser),
    run: await finished(),
    logs: await found("/_/_/data/logs?q=broken", ({ items = [] }) => items.length > 0),
    access: await found("/_/_/data/access", ({ events }) => events.length > 0),
    errors: await found("/_/_/data/errors", ({ errors }) => errors.length > 0),
    data: await Promise.all(
      [
        "visitors",
        "requests",
        "system",
        "config",
        "cron/jobs",
        "disk",
        "health",
        "instances",
        "recent",
        "stalls",
      ].map((name) => status(`/_/_/data/${name}`, asSuperuser)),
    ),
    prometheus: await status("/_/_/metrics", asSuperuser),
    ready: await status("/api/health/ready"),
  };
  console.log(JSON.stringify(results));
}

function echo(url) {
  const socket = new WebSocket(url);
  return new Promise((resolve, reject) => {
    socket.onopen = () => socket.send("echo");
    socket.onerror = reject;
    socket.onmessage = ({ data }) => {
      socket.close();
      resolve(data);
    };
  });
}
