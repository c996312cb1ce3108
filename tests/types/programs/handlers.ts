// Forty ordinary ways to write and register handlers. Each compiles with the strictest settings.
import {
  type App,
  bodyLimit,
  checked,
  createApp,
  type Handler,
  type Middleware,
  type MiddlewareHandler,
  type RequestEvent,
  type Router,
  rateLimit,
  requireAuth,
  type UploadedFile,
} from "annex";

declare const router: Router;
declare const isEven: boolean;

interface Note {
  id: number;
  text: string;
}
const note: Note = { id: 1, text: "Milk" };

// 1. A loop over an object of handlers
const handlers = {
  a: (e: RequestEvent) => e.json(200, note),
  b: async (e: RequestEvent) => e.noContent(),
};
for (const [name, handler] of Object.entries(handlers)) router.get(`/1/${name}`, handler);

// 2. A list of routes as constants
const routes = [
  { method: "get", path: "/2/a", handler: (e: RequestEvent) => e.json(200, note) },
  { method: "post", path: "/2/b", handler: async (e: RequestEvent) => e.text(201, "b") },
] as const;
for (const route of routes) router[route.method](route.path, route.handler);

// 3. A list of routes with a type
interface Route {
  method: "get" | "post";
  path: string;
  handler: Handler;
}
const typedRoutes: Route[] = [{ method: "get", path: "/3", handler: (e) => e.json(200, note) }];
for (const { method, path, handler } of typedRoutes) router[method](path, handler);

// 4. A list of pairs
const pairs: [string, Handler][] = [
  ["/4/a", (e) => e.json(200, note)],
  ["/4/b", (e) => e.noContent()],
];
for (const [path, handler] of pairs) router.get(path, handler);

// 5. A generic wrapper
function timed<R>(handler: (e: RequestEvent) => R): (e: RequestEvent) => R {
  return (e) => {
    const start = performance.now();
    try {
      return handler(e);
    } finally {
      e.app.logger.debug("Timed", { ms: performance.now() - start });
    }
  };
}
router.get(
  "/5",
  timed((e) => e.json(200, note)),
);

// 6. An asynchronous wrapper
function guarded<R>(handler: (e: RequestEvent) => Promise<R>) {
  return async (e: RequestEvent) => {
    try {
      return await handler(e);
    } catch {
      throw e.error(502, "Not available.");
    }
  };
}
router.get(
  "/6",
  guarded(async (e) => e.json(200, note)),
);

// 7. A wrapper of handlers
const logged =
  (handler: Handler): Handler =>
  async (e) => {
    const result = await handler(e);
    return result;
  };
router.get(
  "/7",
  logged((e) => e.json(200, note)),
);

// 8. A factory
function listOf<T>(load: () => Promise<T[]>) {
  return async (e: RequestEvent) => e.json(200, await load());
}
router.get(
  "/8",
  listOf(async () => [note]),
);

// 9. An object that satisfies a type
const resource = {
  list: (e) => e.json(200, [note]),
  get: (e) => e.json(200, { id: e.pathValue("id") }),
} satisfies Record<string, Handler>;
router.get("/9", resource.list);
router.get("/9/{id}", resource.get);

// 10. Methods and fields of a class
class NotesController {
  readonly #notes = [note];
  list = (e: RequestEvent) => e.json(200, this.#notes);
  async get(e: RequestEvent<"id">) {
    return e.json(200, { id: e.pathValue("id"), of: this.#notes.length });
  }
  register(notes: Router): void {
    notes.get("/10", this.list);
    notes.get("/10/{id}", this.get.bind(this));
    notes.get("/10/{id}/again", (e) => this.get(e));
  }
}
new NotesController().register(router);

// 11. Overloads
function respond(e: RequestEvent, data: Note): ReturnType<typeof e.json<200, Note>>;
function respond(e: RequestEvent): ReturnType<typeof e.noContent>;
function respond(e: RequestEvent, data?: Note) {
  return data ? e.json(200, data) : e.noContent();
}
router.get("/11", (e) => (isEven ? respond(e, note) : respond(e)));
router.get("/11/direct", respond);

// 12. Different responses
router.get("/12", (e) => (e.query("x") ? e.json(200, note) : e.json(404, { error: "no" })));

// 13. A response without return
router.post("/13", (e) => {
  e.json(200, note);
});

// 14. An early return
router.post("/14", async (e) => {
  if (e.query("x")) return;
  e.noContent();
});

// 15. A return without a value
router.post("/15", async (e) => {
  if (e.query("x")) return undefined;
  return e.json(200, note);
});

// 16. Middleware of several kinds
const guard: MiddlewareHandler = {
  id: "guard",
  func: (e) => {
    if (!e.auth) throw e.error(401, "Sign in.");
    return e.next();
  },
};
router
  .get("/16", (e) => e.json(200, note))
  .bind(guard, requireAuth(), rateLimit({ limit: 1, per: "1m" }), checked(), bodyLimit(1_000), (e) =>
    e.next(),
  );

// 17. A list of middleware
const list: (MiddlewareHandler | Middleware)[] = [guard, async (e) => void (await e.next())];
router.bind(...list);
router.use(...list);

// 18. A resource
router.crud(
  "notes",
  {
    list: (e) => e.json(200, []),
    get: (e) => e.json(200, { id: e.pathValue("id") }),
    create: async (e) => e.json(201, await e.bindBody<Note>()),
    delete: async (e) => {
      e.noContent();
    },
  },
  requireAuth(),
);

// 19. A map
const map = new Map<string, Handler>([["/19", (e) => e.json(200, note)]]);
for (const [path, handler] of map) router.get(path, handler);

// 20. A generic path
function getJson<P extends string, T>(of: Router, path: P, load: () => T): void {
  of.get(path, (e) => e.json(200, load()));
}
getJson(router, "/20", () => note);

// 21. An explicit type of the result
async function showUnknown(e: RequestEvent<"id">): Promise<unknown> {
  return e.json(200, { id: e.pathValue("id") });
}
router.get("/21/{id}", showUnknown);

// 22. A result without a value
async function showVoid(e: RequestEvent<"id">): Promise<void> {
  e.json(200, { id: e.pathValue("id") });
}
router.get("/22/{id}", showVoid);

// 23. Handlers with dependencies
const makeHandlers = (app: App) => ({ list: async (e: RequestEvent) => e.json(200, { is: app.isWorker }) });
router.get("/23", makeHandlers(createApp()).list);

// 24. A handler with another argument
function withUser<R>(handler: (e: RequestEvent, user: { id: string }) => R) {
  return (e: RequestEvent) => {
    if (!e.auth) throw e.error(401, "Sign in.");
    return handler(e, { id: e.auth.id });
  };
}
router.get(
  "/24",
  withUser((e, user) => e.json(200, user)),
);

// 25. A wrapper that is generic in its event
const traced =
  <E extends RequestEvent<string>, R>(handler: (e: E) => R) =>
  (e: E) =>
    handler(e);
router.get(
  "/25/{id}",
  traced((e: RequestEvent<"id">) => e.json(200, e.pathValue("id"))),
);

// 26. Errors that are caught
router.get("/26", async (e) => {
  try {
    const [a, b] = await Promise.all([Promise.resolve(1), Promise.resolve(2)]);
    return e.json(200, { a, b });
  } catch {
    return e.json(500, { error: "no" });
  }
});

// 27. A switch
router.get("/27", (e) => {
  switch (e.query("format")) {
    case "text":
      return e.text(200, "1");
    case "html":
      return e.html(200, "1");
    default:
      return e.redirect(302, "/");
  }
});

// 28. Array methods
["a", "b"].map((name) => router.get(`/28/${name}`, (e) => e.text(200, name)));

// 29. Functions as middleware
router.bindFunc((e) => e.next());
router.bindFunc(async (e) => {
  e.set("started", performance.now());
  return e.next();
});

// 30. A handler that is chosen when it is registered
router.get("/30", isEven ? (e) => e.json(200, note) : (e) => e.noContent());

// 31. A handler that was chosen before
const chosen = isEven ? handlers.a : handlers.b;
router.get("/31", chosen);

// 32. The type of a parameter
type RouteHandler = Parameters<Router["get"]>[1];
const sameType: RouteHandler = (e: RequestEvent) => e.noContent();
router.get("/32", sameType);

// 33. An optional handler
const maybe: Handler | undefined = isEven ? handlers.a : undefined;
if (maybe) router.get("/33", maybe);

// 34. Middleware and handler as one list
function route(path: string, ...stack: [...MiddlewareHandler[], Handler]): void {
  const handler = stack.at(-1) as Handler;
  router.get(path, handler).bind(...(stack.slice(0, -1) as MiddlewareHandler[]));
}
route("/34", guard, (e) => e.json(200, note));

// 35. A mapped type
type Api = { [K in "a" | "b"]: (e: RequestEvent) => ReturnType<RequestEvent["noContent"]> };
const api: Api = { a: (e) => e.noContent(), b: (e) => e.noContent() };
for (const key of Object.keys(api) as (keyof Api)[]) router.get(`/35/${key}`, api[key]);

// 36. A handler by a constant key
for (const key of ["a", "b"] as const) router.get(`/36/${key}`, handlers[key]);

// 37. A function that registers any handler
function register<R>(path: string, handler: (e: RequestEvent) => R): void {
  router.get(path, handler).bind(handler);
}
register("/37", (e) => e.json(200, note));

// 38. A function that is generic in the handler
function registerSame<H extends Handler>(path: string, handler: H): H {
  router.get(path, handler);
  router.bindFunc(handler);
  return handler;
}
registerSame("/38", (e) => e.noContent());

// 39. A handler that always throws, and one of any type
router.get("/39", () => {
  throw new Error("Not yet.");
});
router.get("/39/any", JSON.parse("null"));

// 40. Node's response, a stream of events and an upload
router.get("/40/node", (e) => e.response.writeHead(200).end("node"));
router.get("/40/events", (e) =>
  e.sse(({ send, signal, close }) => {
    send({ data: 1 });
    signal.addEventListener("abort", close);
  }),
);
router.post("/40/photo", async (e) => {
  const { photo } = await e.bindBody<{ photo: UploadedFile }>();
  return e.json(201, { size: photo.size });
});
