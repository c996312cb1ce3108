import assert from "node:assert/strict";
import { describe, it } from "node:test";
import express5, { type Express, type RequestHandler, type Router } from "express";
import express4 from "express-4";
import { type Cleanup, share } from "../../src/lib/testing/share.ts";
import { createSmallAnnex } from "./hosts/attached.ts";
import { closed, listening, portOf } from "./hosts/host.ts";

type Framework = typeof express5;

const versions = [
  { name: "Express 5", express: express5, isOld: false },
  { name: "Express 4", express: express4 as unknown as Framework, isOld: true },
];

const ok: RequestHandler = (_request, response) => void response.send("ok");
const refuse: RequestHandler = (_request, response) => void response.sendStatus(401);

/** All ways to register a route, in both versions. */
function addRoutes(app: Express, express: Framework, isOld: boolean): void {
  const createRouter = (add: (router: Router) => void): Router => {
    const router = express.Router({ mergeParams: true });
    add(router);
    return router;
  };
  app.use(express.json());
  app.get("/", ok);
  app.get("/plain", ok);
  app.get("/things/:id", ok);
  app.get("/files/:name.:ext", ok);
  app.route("/chained/:id").get(ok).post(ok);
  app.all("/everything/:id", ok);
  app.get(["/first/:id", "/second/:id"], ok);
  app.get(/^\/number-(\d+)$/, ok);
  app.get(/^\/[ab]+$/, ok);
  app.get(isOld ? "/optional/:id?" : "/optional{/:id}", ok);
  app.get(isOld ? "/rest/*" : "/rest/*path", ok);
  if (isOld) app.get("/digits/:id(\\d+)", ok);

  const leaf = createRouter((router) => router.get("/leaf/:leaf", ok).get("/", ok));
  const branch = createRouter((router) => router.use("/branch/:branch", leaf));
  app.use("/tree/:tree", branch);
  app.use(
    ["/one", "/other/:id"],
    createRouter((router) => router.get("/shared", ok)),
  );
  const twice = createRouter((router) => router.get("/twice/:id", ok));
  app.use("/a", twice);
  app.use("/b/:b", twice);
  app.use(
    /^\/v(\d+)/,
    createRouter((router) => router.get("/versioned", ok)),
  );
  app.use(createRouter((router) => router.get("/unmounted/:id", ok)));

  const sub = express();
  sub.get("/stats/:day", ok);
  sub.use(
    "/deep",
    createRouter((router) => router.get("/er/:id", ok)),
  );
  app.use("/sub/:sub", sub);

  app.get("/guarded/:id", refuse, ok);
  app.use("/refused", refuse);
  app.get("/refused/:id", ok);
  app.get("/skipped/:id", (_request, _response, next) => next("route"));
  app.get("/skipped/:taken", ok);
  app.get("/passed/:id", (_request, _response, next) => next());
  app.get("/fails/:id", () => {
    throw new Error("failed");
  });
  app.use(
    "/in-router",
    createRouter((router) => router.get("/fails/:id", () => Promise.reject(new Error("failed")))),
  );
  const hidden = createRouter((router) => router.get("/hidden/:id", ok));
  app.use("/closure", (request, response, next) => hidden(request, response, next));
  app.get("/handled/:id", () => {
    throw new Error("handled");
  });
  const handleError: express5.ErrorRequestHandler = (error, _request, response, next) => {
    if (error.message === "handled") response.status(422).send("handled");
    else next(error);
  };
  app.use(handleError);
}

const cases: [path: string, pattern: string | undefined, status?: number][] = [
  ["/", "/"],
  ["/plain", "/plain"],
  ["/plain/", "/plain"],
  ["/PLAIN", "/plain"],
  ["/things/1", "/things/{id}"],
  ["/things/1%2F2", "/things/{id}"],
  ["/files/a.txt", "/files/{name}.{ext}"],
  ["/chained/1", "/chained/{id}"],
  ["/everything/1", "/everything/{id}"],
  ["/first/1", "/first/{id}"],
  ["/second/1", "/second/{id}"],
  ["/number-12", "/number-{0}"],
  ["/abba", "/(^\\/[ab]+$)"],
  ["/optional", "/optional/{id}"],
  ["/optional/1", "/optional/{id}"],
  ["/tree/1/branch/2/leaf/3", "/tree/{tree}/branch/{branch}/leaf/{leaf}"],
  ["/tree/branch/branch/leaf/leaf/leaf", "/tree/{tree}/branch/{branch}/leaf/{leaf}"],
  ["/tree/1/branch/2", "/tree/{tree}/branch/{branch}"],
  ["/one/shared", "/one/shared"],
  ["/other/1/shared", "/other/{id}/shared"],
  ["/a/twice/1", "/a/twice/{id}"],
  ["/b/2/twice/1", "/b/{b}/twice/{id}"],
  ["/unmounted/1", "/unmounted/{id}"],
  ["/sub/1/stats/2", "/sub/{sub}/stats/{day}"],
  ["/sub/1/deep/er/2", "/sub/{sub}/deep/er/{id}"],
  ["/guarded/1", "/guarded/{id}", 401],
  ["/refused/1", "(unknown route)", 401],
  ["/skipped/1", "/skipped/{taken}"],
  ["/passed/1", undefined, 404],
  ["/fails/1", "/fails/{id}", 500],
  ["/handled/1", "/handled/{id}", 422],
  ["/closure/hidden/1", "/…/hidden/{id}"],
  ["/nothing", undefined, 404],
  ["/tree/1/branch/2/nothing", undefined, 404],
];

for (const { name, express, isOld } of versions) {
  describe(`the routes of ${name}`, () => {
    async function start(t: Cleanup, add: (app: Express) => void) {
      const { annex, records } = createSmallAnnex(t);
      const app = express();
      app.set("env", "test");
      add(app);
      await annex.attach(app);
      const server = await listening(app.listen(0));
      t.after(() => closed(server));
      const get = async (path: string) => {
        const response = await fetch(`http://127.0.0.1:${portOf(server)}${path}`);
        await response.text();
        return records.trace(response.headers.get("x-trace-id"));
      };
      return { app, get, records };
    }

    const shared = share((t) => start(t, (app) => addRoutes(app, express, isOld)));

    const own: typeof cases = isOld
      ? [
          ["/digits/12", "/digits/{id}"],
          ["/digits/x", undefined, 404],
          ["/rest/a/b", "/rest/{rest...}"],
          ["/v1/versioned", "/v{0}/versioned"],
        ]
      : [
          ["/rest/a/b", "/rest/{path...}"],
          ["/in-router/fails/1", "/in-router/fails/{id}", 500],
          ["/v1/versioned", "/v{0}/versioned"],
        ];
    for (const [path, pattern, status = 200] of [...cases, ...own]) {
      it(`${path} is ${pattern ?? "none"}`, async () => {
        const { get } = await shared();
        const found = await get(path);
        assert.deepEqual([found.status, found.route], [status, pattern]);
      });
    }

    it("are found if they are added later, at any depth", async (t) => {
      const router = express.Router();
      const { app, get } = await start(t, (app) => app.use("/router", router));
      app.get("/late/:id", ok);
      assert.equal((await get("/late/1")).route, "/late/{id}");
      router.get("/later/:id", ok);
      // The routers are read again at most once per second, so the first requests have only the end of the pattern.
      const found = new Set<string | undefined>();
      const deadline = performance.now() + 60_000;
      while (!found.has("/router/later/{id}") && performance.now() < deadline)
        found.add((await get("/router/later/1")).route);
      assert.deepEqual([...found].at(-1), "/router/later/{id}");
      assert.ok(found.size <= 2);
    });

    it("do not grow without bounds, if the application creates them all the time", async (t) => {
      const { get, records } = await start(t, (app) =>
        app.use("/dynamic", (request, response, next) => {
          const router = express.Router();
          router.get("/:id", ok);
          router(request, response, next);
        }),
      );
      for (let id = 0; id < 20; id++) await get(`/dynamic/${id}`);
      assert.deepEqual([...new Set(records.requests.map(({ route }) => route))], ["/…/{id}"]);
    });
  });
}
