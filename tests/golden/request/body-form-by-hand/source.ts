// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

declare function subscribe(email: string): Promise<void>;

// The fields of the form are no query parameters.
async function addSubscriber(e: RequestEvent) {
  const form = new URLSearchParams(await e.readText());
  const email = form.get("email");
  if (!email) throw e.error(400, "Give an address.");
  await subscribe(email);
  return e.redirect(303, "/thanks");
}

export function routes(router: VersionedRouter): void {
  router.post("/subscribers", addSubscriber);
}
