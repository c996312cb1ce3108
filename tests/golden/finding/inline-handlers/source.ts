// API_SOURCE
import type { VersionedRouter } from "../../../../src/index.ts";

declare function find(id: string): { id: string } | undefined;

export function routes(router: VersionedRouter): void {
  router.get("/things/{id}", (e) => {
    const thing = find(e.pathValue("id"));
    if (!thing) throw e.error(404, "There is none.");
    return e.json(200, thing);
  });
  router.get("/count", async (e) => e.json(200, { count: Number(e.query("from") ?? 0) }));
  router.post("/things", async function create(e) {
    const { id } = await e.bindBody<{ id: string }>();
    return e.json(201, { id });
  });
}
