// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

interface Account {
  id: string;
  state: "open" | "frozen" | "closed";
}

declare function find(id: string): Promise<Account | null>;

async function getAccount(e: RequestEvent<"id">) {
  const account = await find(e.pathValue("id"));
  if (!account) return e.json(404, { missing: e.pathValue("id") });
  switch (true) {
    case account.state === "frozen":
      return e.json(423, { until: new Date() });
    case account.state === "closed":
      return e.redirect(303, "/accounts");
    default:
      return account.id === "0" ? e.text(200, "root") : e.json(200, account);
  }
}

export function routes(router: VersionedRouter): void {
  router.get("/accounts/{id}", getAccount);
}
