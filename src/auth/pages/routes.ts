import type { Router } from "../../http/index.ts";
import type { AuthServices } from "../services.ts";
import { credentialOf } from "../superuser-identity.ts";
import { mountAccount } from "./account.ts";
import { mountAssets } from "./assets.ts";
import { mountEntrance } from "./entrance.ts";
import { home, parseNext } from "./next-path.ts";

/** The pages for people at `/_/`: plain forms that work without a script, each action ending in a redirect. */
export function mountPages(router: Router, services: AuthServices): void {
  mountAssets(router);
  const showEntrance = mountEntrance(router, services);
  const showAccount = mountAccount(router, services);

  // A form that was refused is shown at the address it was sent to. Whoever loads that address again is led home.
  for (const form of ["sign-in", "sign-out", "setup", "password", "superusers", "sessions/end-others"]) {
    router.get(`/_/${form}`, (e) => e.redirect(302, home));
  }
  router.get("/_", (e) => e.redirect(302, home));
  router.get("/_/", (e) => {
    const credential = credentialOf(e.auth);
    if (!credential) return showEntrance(e);
    const next = parseNext(e.query("next"));
    return next === home ? showAccount(e, credential) : e.redirect(303, next);
  });
}
