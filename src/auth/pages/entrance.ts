import type { Handler, RequestEvent, Router } from "../../http/index.ts";
import { ApiError } from "../../lib/errors/errors.ts";
import type { Account } from "../accounts/accounts.ts";
import { whenAvailable } from "../available.ts";
import { readFields } from "../body-fields.ts";
import { SETUP_LINK_VOID } from "../errors.ts";
import { refuseNewSuperuser } from "../fields.ts";
import { isSafe } from "../guards/same-origin.ts";
import { originOf } from "../request-origin.ts";
import type { AuthServices } from "../services.ts";
import { clearSessionCookie, setSessionCookie } from "../sessions/session-cookie.ts";
import { credentialOf } from "../sessions/superuser-identity.ts";
import { lockedPage, refusedAddressPage, setupPage, signInPage, voidLinkPage } from "./entrance-pages.ts";
import { emptyForm } from "./form.ts";
import { type Page, sendPage } from "./layout.ts";
import { parseNext } from "./next-path.ts";
import { noticeOf, postForm, redirectDone, showAgain } from "./post-form.ts";

/** Registers sign-in, sign-out and setup. Returns the handler of the page for users who are not signed in. */
export function mountEntrance(router: Router, services: AuthServices): Handler {
  const { accounts, tokens, signIn, setupLinks, reportAccess, isAllowedAddress, landing } = services;

  async function startSession(e: RequestEvent, account: Account): Promise<void> {
    const earlier = credentialOf(e.auth);
    if (earlier?.kind === "session") await tokens.end(earlier.tokenHash);
    setSessionCookie(e, await whenAvailable(tokens.issue(account, "session", originOf(e))));
    await signIn.remember(e, account, "form");
  }

  async function entrance(e: RequestEvent, setup: string | undefined): Promise<Page> {
    if (!(await whenAvailable(accounts.isEmpty()))) {
      return signInPage(emptyForm, {
        host: e.url.host,
        next: parseNext(e.query("next"), e.basePath + landing),
        notice: noticeOf(e),
      });
    }
    if (setup === undefined) return lockedPage();
    if (await whenAvailable(setupLinks.isValid(setup))) return setupPage(emptyForm, setup);
    // For a form submission, the attempt has already been reported.
    if (isSafe(e)) reportAccess(e, { kind: "sign-in-failed", detail: "invalid setup link" });
    return voidLinkPage();
  }

  postForm(router, "/_/sign-in", async (e) => {
    const fields = await readFields(e, "identity", "password", "next");
    const next = parseNext(fields.next, e.basePath + landing);
    try {
      await startSession(e, await signIn.withPassword(e, fields, "form"));
      return e.redirect(303, next);
    } catch (error) {
      return showAgain(e, error, fields, (form) => signInPage(form, { host: e.url.host, next }));
    }
  });

  postForm(router, "/_/setup", async (e) => {
    const fields = await readFields(e, "setup", "email", "password", "passwordConfirm");
    try {
      refuseNewSuperuser(fields);
      const { setup, email, password } = fields;
      const claim = () => setupLinks.claim(setup, email, password, originOf(e));
      await startSession(e, await signIn.withLink(e, email, claim));
      return e.redirect(303, e.basePath + landing);
    } catch (error) {
      if (isVoidLink(error)) return sendPage(e, 400, await entrance(e, fields.setup));
      return showAgain(e, error, fields, (form) => setupPage(form, fields.setup));
    }
  });

  postForm(router, "/_/sign-out", async (e) => {
    const credential = credentialOf(e.auth);
    if (credential) {
      const { email } = credential.superuser;
      await tokens.end(credential.tokenHash);
      reportAccess(e, { kind: "sign-out", account: email, actor: email });
    }
    clearSessionCookie(e);
    return redirectDone(e, "signed-out");
  });

  return async (e) => {
    const setup = e.query("setup");
    const isRefused = setup !== undefined && !isAllowedAddress(e.ip);
    if (isRefused && (await whenAvailable(accounts.isEmpty()))) return sendPage(e, 403, refusedAddressPage());
    return sendPage(e, 200, await entrance(e, setup));
  };
}

function isVoidLink(error: unknown): boolean {
  return error instanceof ApiError && error.code === SETUP_LINK_VOID.code;
}
