// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";
import { paginate } from "./pagination.ts";

interface Cat {
  name: string;
}

declare function cats(offset: number, size: number): Promise<[Cat[], number]>;

async function listCats(e: RequestEvent) {
  const { offset, size, respond } = paginate(e);
  return respond(...(await cats(offset, size)));
}

async function listMany(e: RequestEvent) {
  const pages = paginate(e, { defaultSize: 100 });
  const [found, total] = await cats(pages.offset, pages.size);
  return pages.respond(found, total);
}

export function routes(router: VersionedRouter): void {
  router.get("/cats", listCats);
  router.get("/many", listMany);
}
