// API_SOURCE
import type { Handler, RequestEvent, VersionedRouter } from "annex";
import { Gate, listTickets, sellTicket } from "./tickets.ts";

const timed =
  (inner: Handler): Handler =>
  async (e) => {
    const start = performance.now();
    await inner(e);
    e.app.logger.debug("took", { ms: performance.now() - start });
  };

// API_DESC Counts the free seats.
function countSeats(e: RequestEvent): unknown {
  return e.json(200, { free: 12, floor: e.query("floor") ?? "lower" });
}

const stops = ["harbour", "market"] as const;

const showStop = (name: string) => (e: RequestEvent) => e.json(200, { name, line: e.query("line") });

async function requireLine(e: RequestEvent) {
  if (!e.header("x-line")) throw e.error(400, "Name the line.");
  await e.next();
}

const gate = new Gate("north");
export function routes(router: VersionedRouter): void {
  const api = router.setPrefix("/api/v1");
  api.bindFunc(requireLine);
  api.get("/tickets", listTickets);
  api.post("/tickets", sellTicket);
  api.get("/seats", timed(countSeats as Handler));
  api.post("/doors", gate.open.bind(gate));
  api.delete("/doors", gate.close);
  for (const stop of stops) api.get(`/stops/${stop}`, showStop(stop));
  api.get("/driver", (e) => {
    if (e.query("shift") === "late") return e.json(200, { name: "Ada", until: "23:00" });
    throw e.error(404, "There is no such shift.");
  });
}
