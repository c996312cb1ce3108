// API_SOURCE
import { ApiError, type RequestEvent, type VersionedRouter } from "../../../../src/index.ts";

declare function log(error: unknown): void;

function find(id: string): string {
  if (id === "0") throw new ApiError(404, "There is none.");
  return id;
}

async function load(id: string): Promise<string> {
  return find(id);
}

function caught(e: RequestEvent) {
  try {
    return e.json(200, { id: find("1") });
  } catch {
    return e.json(200, { id: "fallback" });
  }
}

function caughtAndReplaced(e: RequestEvent) {
  try {
    return e.json(200, { id: find("1") });
  } catch (error) {
    log(error);
    throw e.error(502, "The store does not answer.");
  }
}

function rethrown(e: RequestEvent) {
  try {
    return e.json(200, { id: find("1") });
  } catch (error) {
    log(error);
    throw error;
  }
}

function onlyFinally(e: RequestEvent) {
  try {
    return e.json(200, { id: find("1") });
  } finally {
    log("done");
  }
}

async function promiseCatch(e: RequestEvent) {
  const id = await load("1").catch(() => "fallback");
  return e.json(200, { id });
}

async function settled(e: RequestEvent) {
  const results = await Promise.allSettled([load("1"), load("2")]);
  return e.json(200, { id: String(results.length) });
}

async function caughtInside(e: RequestEvent) {
  try {
    return e.json(200, { id: await load("1") });
  } catch (error) {
    try {
      throw error;
    } catch {
      return e.json(200, { id: "inner" });
    }
  }
}

export function routes(router: VersionedRouter): void {
  router.get("/caught", caught);
  router.get("/replaced", caughtAndReplaced);
  router.get("/rethrown", rethrown);
  router.get("/finally", onlyFinally);
  router.get("/promise", promiseCatch);
  router.get("/settled", settled);
  router.get("/nested", caughtInside);
}
