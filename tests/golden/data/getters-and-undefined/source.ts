// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

declare function nickname(): string | undefined;

function getUser(e: RequestEvent) {
  return e.json(200, {
    name: "Ann",
    nickname: nickname(),
    get initials() {
      return this.name.slice(0, 1);
    },
  });
}

export function routes(router: VersionedRouter): void {
  router.get("/user", getUser);
}
