// API_SOURCE
import {
  type CRUDHandlers,
  type RequestEvent,
  requireAuth,
  requireSuperuserAuth,
  type VersionedRouter,
} from "../../../../src/index.ts";

function open(e: RequestEvent) {
  return e.noContent();
}

function restricted(e: RequestEvent) {
  return e.json(200, { id: e.auth!.id });
}

const notes: CRUDHandlers = {
  list: (e) => e.json(200, ["a"]),
  create: (e) => e.noContent(),
  delete: (e) => e.noContent(),
};

export function routes(router: VersionedRouter): void {
  router.get("/open", open);
  router.get("/members", restricted).bind(requireAuth());
  router.get("/admins", restricted).bind(requireSuperuserAuth());
  const inner = router.setPrefix("/inner");
  inner.bind(requireAuth());
  inner.get("/members", restricted);
  router.crud("notes", notes, requireAuth());
}
