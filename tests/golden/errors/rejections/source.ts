// API_SOURCE
import { ApiError, type RequestEvent, type VersionedRouter } from "../../../../src/index.ts";

declare function find(id: string): Promise<string | undefined>;

function load(id: string): Promise<string> {
  return find(id).then((name) => {
    if (name === undefined) throw new ApiError(404, "There is none.");
    return name;
  });
}

function reject(): Promise<string> {
  return Promise.reject(new ApiError(503, "Come back later."));
}

async function getName(e: RequestEvent) {
  return e.json(200, { name: await load("1") });
}

async function getBoth(e: RequestEvent) {
  const [name, other] = await Promise.all([load("1"), reject()]);
  return e.json(200, { name, other });
}

export function routes(router: VersionedRouter): void {
  router.get("/name", getName);
  router.get("/both", getBoth);
}
