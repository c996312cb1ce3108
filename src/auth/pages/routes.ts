import type { RootRouter } from "../../http/index.ts";
import type { AuthServices } from "../services.ts";
import { credentialOf } from "../sessions/superuser-identity.ts";
import { mountAccount } from "./account.ts";
import { mountAssets } from "./assets.ts";
import { mountEntrance } from "./entrance.ts";
import { homeOf, parseNext } from "./next-path.ts";

/** Registers the pages at `/_/`: plain forms that work without scripts. Each action ends with a redirect. */
export function mountPages(router: RootRouter, services: AuthServices): void {
  mountAssets(router.uncounted());
  const showEntrance = mountEntrance(router, services);
  const showAccount = mountAccount(router, services);

  // A form with an error is shown at the URL it was sent to. Opening that URL again redirects to the account page.
  for (const form of ["sign-in", "sign-out", "setup", "password", "superusers", "sessions/end-others"]) {
    router.get(`/_/${form}`, (e) => e.redirect(302, homeOf(e)));
  }
  router.get("/_", (e) => e.redirect(302, homeOf(e)));
  router.get("/_/", (e) => {
    const credential = credentialOf(e.auth);
    if (!credential) return showEntrance(e);
    const home = homeOf(e);
    const next = parseNext(e.query("next"), home);
    return next === home ? showAccount(e, credential) : e.redirect(303, next);
  });
}
