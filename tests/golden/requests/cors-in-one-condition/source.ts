// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

async function cors(e: RequestEvent) {
  const origin = e.header("origin");
  if (origin) e.setHeader("Access-Control-Allow-Origin", origin);
  if (e.method === "OPTIONS" && e.header("access-control-request-method")) return e.noContent();
  await e.next();
}

/** The same with a header of its own, and the raw request. */
async function limitPreflights(e: RequestEvent) {
  const isPreflight = e.request.method === "OPTIONS";
  if (isPreflight && e.header("x-preflight") === undefined) throw e.error(429, "Too many preflights.");
  return e.method !== "OPTIONS" ? e.next() : e.noContent();
}

function listTodos(e: RequestEvent) {
  return e.json(200, [{ title: "Buy milk" }]);
}

export function routes(router: VersionedRouter): void {
  router.bindFunc(cors);
  router.get("/todos", listTodos);
  router.post("/todos", (e) => e.json(201, { title: "Buy milk" })).bindFunc(limitPreflights);
}
