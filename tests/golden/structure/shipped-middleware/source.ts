// API_SOURCE
import {
  cors,
  type RequestEvent,
  rateLimit,
  requireAuth,
  securityHeaders,
  type VersionedRouter,
} from "../../../../src/index.ts";

function list(e: RequestEvent) {
  return e.json(200, ["a"]);
}

function search(e: RequestEvent) {
  if (e.query("q") === "") return e.json(429, { wait: 5 });
  return e.json(200, { found: 1 });
}

export function routes(router: VersionedRouter): void {
  const api = router.setPrefix("/api");
  api.use(cors({ origins: "https://app.example.com", credentials: true }), securityHeaders());
  api.get("/open", list);
  const limited = api.setPrefix("/limited");
  limited.use(rateLimit({ limit: 100, per: "1m" }));
  limited.get("/members", list).bind(requireAuth());
  limited.get("/search", search).bind(rateLimit({ limit: 5, per: "1s", name: "search" }));
}
