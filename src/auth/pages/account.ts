import type { RequestEvent, Router } from "../../http/index.ts";
import type { Superuser } from "../accounts.ts";
import { readFields } from "../body-fields.ts";
import { refuseNewPassword, refuseNewSuperuser } from "../fields.ts";
import { originOf } from "../request-origin.ts";
import type { AuthServices } from "../services.ts";
import { credentialOf } from "../superuser-identity.ts";
import type { Credential } from "../tokens.ts";
import { type AccountForm, accountPage, removePage } from "./account-pages.ts";
import type { FormState } from "./form.ts";
import { type Page, sendPage } from "./layout.ts";
import { home } from "./next-path.ts";
import { noticeOf, postForm, redirectDone, showAgain } from "./post-form.ts";

type SignedInHandler = (e: RequestEvent, credential: Credential) => unknown;

/** What a superuser can do when signed in. Gives the page that it all starts from. */
export function mountAccount(router: Router, services: AuthServices): SignedInHandler {
  const { accounts, confirmPassword, signIn, landing } = services;

  /** The page with one of its forms shown again. */
  const refused =
    (me: Superuser, form: AccountForm) =>
    async (state: FormState): Promise<Page> =>
      accountPage({ me, superusers: await accounts.list(), landing, refused: { form, state } });

  postForm(
    router,
    "/_/password",
    signedIn(async (e, { superuser, tokenHash }) => {
      const fields = await readFields(e, "oldPassword", "password", "passwordConfirm");
      try {
        refuseNewPassword(fields);
        await confirmPassword(superuser.email, fields.oldPassword, e);
        await accounts.changePassword(superuser.id, fields.password, {
          actor: superuser.email,
          origin: originOf(e),
          keptToken: tokenHash,
        });
        await signIn.remember(e, await accounts.get(superuser.id), "form");
        return redirectDone(e, "password");
      } catch (error) {
        return showAgain(e, error, fields, refused(superuser, "password"));
      }
    }),
  );

  postForm(
    router,
    "/_/superusers",
    signedIn(async (e, { superuser }) => {
      const fields = await readFields(e, "email", "password", "passwordConfirm");
      try {
        refuseNewSuperuser(fields);
        await accounts.create(fields.email, fields.password, { actor: superuser.email, origin: originOf(e) });
        return redirectDone(e, "added");
      } catch (error) {
        return showAgain(e, error, fields, refused(superuser, "add"));
      }
    }),
  );

  const removal = "/_/superusers/{id}/remove";
  router.get(
    removal,
    signedIn(async (e) => sendPage(e, 200, removePage(await accounts.get(e.pathValue("id"))))),
  );
  postForm(
    router,
    removal,
    signedIn(async (e, { superuser }) => {
      await accounts.remove(e.pathValue("id"), { actor: superuser.email, origin: originOf(e) });
      return redirectDone(e, "removed");
    }),
  );

  return async (e, { superuser: me }) => {
    const superusers = await accounts.list();
    return sendPage(e, 200, accountPage({ me, superusers, landing, notice: noticeOf(e) }));
  };
}

/** Leads whoever is not signed in, or not any more, to the sign-in and from there back to where they were going. */
function signedIn(handler: SignedInHandler): (e: RequestEvent) => unknown {
  return (e) => {
    const credential = credentialOf(e.auth);
    if (credential) return handler(e, credential);
    const next = e.method === "GET" ? `?next=${encodeURIComponent(e.path)}` : "";
    return e.redirect(303, home + next);
  };
}
