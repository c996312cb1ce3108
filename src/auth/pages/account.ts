import type { RequestEvent, Router } from "../../http/index.ts";
import { ApiError } from "../../lib/errors/errors.ts";
import type { ChangedBy } from "../accounts/account-change.ts";
import { readFields, readOptionalFields } from "../body-fields.ts";
import { SESSION_UNKNOWN } from "../errors.ts";
import { refuseNewPassword, refuseNewSuperuser } from "../fields.ts";
import { originOf } from "../request-origin.ts";
import type { AuthServices } from "../services.ts";
import { endOtherSessions, endSession } from "../session-routes.ts";
import { credentialOf } from "../sessions/superuser-identity.ts";
import type { Credential } from "../sessions/tokens.ts";
import { demandInForm } from "../sign-in/reauthentication.ts";
import { type AccountForm, type AccountView, accountPage, removePage } from "./account-pages.ts";
import { emptyForm, type FormState } from "./form.ts";
import { type Page, sendPage } from "./layout.ts";
import { homeOf } from "./next-path.ts";
import { noticeOf, postForm, redirectDone, showAgain } from "./post-form.ts";

type SignedInHandler<Params extends string = string> = (
  e: RequestEvent<Params>,
  credential: Credential,
) => unknown;

/** Maximum number of sessions on the page. The API lists all. */
const maxSessions = 50;

/** Registers the account pages. Returns the handler of the account page. */
export function mountAccount(router: Router, services: AuthServices): SignedInHandler {
  const { accounts, sessions, reauthentication, signIn, landing, clock } = services;

  async function viewOf(credential: Credential): Promise<AccountView> {
    return {
      me: credential.superuser,
      superusers: await accounts.list(),
      ...(await sessions.list(credential, { page: 1, perPage: maxSessions })),
      needsPassword: !reauthentication.isFresh(credential),
      now: clock.now(),
      landing,
    };
  }

  /** The page with an error in one of its forms. */
  const refused =
    (credential: Credential, form: AccountForm) =>
    async (state: FormState): Promise<Page> =>
      accountPage({ ...(await viewOf(credential)), refused: { form, state } });

  postForm(
    router,
    "/_/password",
    signedIn(async (e, credential) => {
      const { superuser, tokenHash } = credential;
      const fields = await readFields(e, "oldPassword", "password", "passwordConfirm");
      try {
        refuseNewPassword(fields);
        await reauthentication.requireOldPassword(e, credential, fields.oldPassword);
        const by = { ...callerOf(e, credential), keptToken: tokenHash };
        await accounts.changePassword(superuser.id, fields.password, by);
        await signIn.rememberCaller(e, await accounts.get(superuser.id));
        return redirectDone(e, "password");
      } catch (error) {
        return showAgain(e, error, fields, refused(credential, "password"));
      }
    }),
  );

  postForm(
    router,
    "/_/superusers",
    signedIn(async (e, credential) => {
      const fields = await readFields(e, "email", "password", "passwordConfirm", "currentPassword");
      try {
        refuseNewSuperuser(fields);
        await demandInForm(reauthentication, e, credential, fields.currentPassword);
        await accounts.create(fields.email, fields.password, callerOf(e, credential));
        return redirectDone(e, "added");
      } catch (error) {
        return showAgain(e, error, fields, refused(credential, "add"));
      }
    }),
  );

  mountRemoval(router, services);
  mountEnding(router, services);

  return async (e, credential) =>
    sendPage(e, 200, accountPage({ ...(await viewOf(credential)), notice: noticeOf(e) }));
}

function mountRemoval(router: Router, { accounts, reauthentication }: AuthServices): void {
  const path = "/_/superusers/{id}/remove";

  router.get(
    path,
    signedIn<"id">(async (e, credential) => {
      const superuser = await accounts.get(e.pathValue("id"));
      const me = reauthentication.isFresh(credential) ? undefined : credential.superuser;
      return sendPage(e, 200, removePage(superuser, emptyForm, me));
    }),
  );

  postForm(
    router,
    path,
    signedIn<"id">(async (e, credential) => {
      const superuser = await accounts.get(e.pathValue("id"));
      const fields = await readOptionalFields(e, "currentPassword");
      try {
        await demandInForm(reauthentication, e, credential, fields.currentPassword);
        await accounts.remove(superuser.id, callerOf(e, credential));
        return redirectDone(e, "removed");
      } catch (error) {
        const me = reauthentication.isFresh(credential) ? undefined : credential.superuser;
        return showAgain(e, error, fields, (form) => removePage(superuser, form, me));
      }
    }),
  );
}

function mountEnding(router: Router, services: AuthServices): void {
  postForm(
    router,
    "/_/sessions/end-others",
    signedIn(async (e) => {
      await endOtherSessions(e, services);
      return redirectDone(e, "ended-others");
    }),
  );

  postForm(
    router,
    "/_/sessions/{id}/end",
    signedIn<"id">(async (e) => {
      // The session may have ended in the meantime.
      await endSession(e, services, e.pathValue("id")).catch((error: unknown) => {
        if (!(error instanceof ApiError) || error.code !== SESSION_UNKNOWN.code) throw error;
      });
      return redirectDone(e, "ended");
    }),
  );
}

function callerOf(e: RequestEvent<never>, { superuser }: Credential): ChangedBy {
  return { actor: superuser.email, origin: originOf(e) };
}

/** Redirects clients without a session to the sign-in page, and afterwards back to the requested page. */
function signedIn<Params extends string>(
  handler: SignedInHandler<Params>,
): (e: RequestEvent<Params>) => unknown {
  return (e) => {
    const credential = credentialOf(e.auth);
    if (credential) return handler(e, credential);
    const next = e.method === "GET" ? `?next=${encodeURIComponent(e.path)}` : "";
    return e.redirect(303, homeOf(e) + next);
  };
}
