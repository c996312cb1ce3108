// API_SOURCE
import type { SentResponse as Sent, RequestEvent, VersionedRouter } from "../../../../src/index.ts";

interface Thing {
  id: string;
}

/** What a quiz is made of, and nothing that a server sends. */
interface SentResponse<Q, A> {
  question: Q;
  answer: A;
}

interface Service {
  quiz(e: RequestEvent): Promise<SentResponse<404, Thing>>;
  either(e: RequestEvent): SentResponse<409, Thing> | Sent<201, Thing>;
  cached(e: RequestEvent): Sent<200, Thing>;
  fetched(e: RequestEvent): Promise<Sent<200, Thing> | Sent<502, { isDown: boolean }>>;
}

declare const service: Service;
declare const isFresh: boolean;

function getQuiz(e: RequestEvent) {
  return service.quiz(e);
}

function addThing(e: RequestEvent) {
  return service.either(e);
}

function getThing(e: RequestEvent) {
  return isFresh ? service.cached(e) : service.fetched(e);
}

export function routes(router: VersionedRouter): void {
  router.get("/quiz", getQuiz);
  router.post("/things", addThing);
  router.get("/things/one", getThing);
}
