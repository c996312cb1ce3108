// API_SOURCE
import type { SentResponse, Handler, RequestEvent, VersionedRouter } from "../../../../src/index.ts";

interface Thing {
  id: string;
}

interface Controller {
  list(e: RequestEvent): Promise<SentResponse<200, Thing[]>>;
  show(e: RequestEvent): Promise<SentResponse<200, Thing> | SentResponse<410, { gone: true }>>;
}

declare function createController(): Controller;
declare function answerWith<S extends number, T>(
  e: RequestEvent,
  load: () => T,
  status: S,
): SentResponse<S, T>;
declare function load(): Thing;

const listThings: Handler = (e) => controllerOf().list(e);

function controllerOf(): Controller {
  return createController();
}

function showThing(e: RequestEvent) {
  return controllerOf().show(e);
}

function addThing(e: RequestEvent) {
  return answerWith(e, load, 201);
}

export function routes(router: VersionedRouter): void {
  router.get("/things", listThings);
  router.get("/things/one", showThing);
  router.post("/things", addThing);
}
