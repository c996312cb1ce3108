// API_SOURCE
import type { SentResponse, RequestEvent, VersionedRouter } from "../../../../src/index.ts";

const sessions = new Map<string, string>([["x", "y"]]);
const cache = { get: (key: string) => key, getAll: (key: string) => [key], has: (key: string) => key !== "" };

function show(e: RequestEvent) {
  e.set("user", "someone");
  e.setHeader("X-Answer", "1");
  const values = [sessions.get("x"), cache.get("a"), e.get<string>("user"), e.response.getHeader("x-answer")];
  return e.json(200, {
    known: sessions.has("x") && cache.has("b"),
    count: values.length + cache.getAll("c").length,
  });
}

export function routes(router: VersionedRouter): void {
  router.get("/show", show);
}
