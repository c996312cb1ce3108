// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

interface Config {
  theme: string;
}

declare function readFile(path: string): Promise<string>;

async function getConfig(e: RequestEvent) {
  const config = JSON.parse(await readFile("config.json")) as Config;
  return e.json(200, config);
}

export function routes(router: VersionedRouter): void {
  router.get("/config", getConfig);
}
