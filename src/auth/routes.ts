import { bodyLimit, query, type RequestEvent, type Router, readQuery } from "../http/index.ts";
import { toPageResponse } from "../lib/page.ts";
import type { ChangedBy } from "./accounts/account-change.ts";
import type { Superuser } from "./accounts/accounts.ts";
import { whenAvailable } from "./available.ts";
import { formBytes, readFields, readOptionalFields } from "./body-fields.ts";
import { AUTH_REQUIRED } from "./errors.ts";
import { refuseNewPassword, refuseNewSuperuser } from "./fields.ts";
import { refuseForeignOrigin } from "./guards/foreign-origin.ts";
import { requireSuperuserAuth } from "./guards/guards.ts";
import { originOf } from "./request-origin.ts";
import type { AuthServices } from "./services.ts";
import { mountSessions } from "./session-routes.ts";
import { demandCredential } from "./sessions/superuser-identity.ts";
import { superusersCollectionId } from "./sessions/tokens.ts";

/** Registers the API. It is compatible with PocketBase, so that the PocketBase client works unchanged. */
export function mountApi(router: Router, services: AuthServices): void {
  const { accounts, tokens, signIn, reportAccess } = services;
  const api = router.setPrefix("/api/collections/_superusers");
  api.bind(bodyLimit(formBytes));

  api
    .post("/auth-with-password", async (e) => {
      const account = await signIn.withPassword(e, await readFields(e, "identity", "password"), "API");
      const { text } = await whenAvailable(tokens.issue(account, "token", originOf(e)));
      await signIn.remember(e, account, "API");
      return sendToken(e, text, account);
    })
    .bind(refuseForeignOrigin());

  api
    .post("/auth-refresh", async (e) => {
      const credential = demandCredential(e);
      // An injected script must not exchange the session of a page for a token.
      if (credential.kind !== "token") throw AUTH_REQUIRED();
      const renewed = await tokens.renew(credential, originOf(e));
      if (!renewed) throw AUTH_REQUIRED();
      await signIn.rememberCaller(e, await accounts.get(credential.superuser.id));
      return sendToken(e, renewed.text, credential.superuser);
    })
    .bind(refuseForeignOrigin(), requireSuperuserAuth());

  api
    .post("/auth-logout", async (e) => {
      const { superuser, tokenHash } = demandCredential(e);
      await tokens.end(tokenHash);
      reportAccess(e, { kind: "sign-out", account: superuser.email, actor: superuser.email });
      return e.noContent();
    })
    .bind(refuseForeignOrigin(), requireSuperuserAuth());

  mountRecords(api.setPrefix("/records"), services);
  mountSessions(api.setPrefix("/sessions"), services);
}

function mountRecords(
  records: Router,
  { accounts, reauthentication, signIn, confirmPassword }: AuthServices,
): void {
  records.bind(requireSuperuserAuth());

  records.get("/", async (e) => {
    const { page: request } = readQuery(e, {
      page: query.page({ perPage: 30 }),
      filter: query.unsupported(),
      sort: query.unsupported(),
    });
    const all = await accounts.list();
    const start = (request.page - 1) * request.perPage;
    const items = all.slice(start, start + request.perPage).map(toRecord);
    return e.json(200, toPageResponse(request, all.length, items));
  });

  records.post("/", async (e) => {
    const fields = await readFields(e, "email", "password", "passwordConfirm", "currentPassword");
    const { email, password, currentPassword } = fields;
    refuseNewSuperuser({ ...fields, passwordConfirm: fields.passwordConfirm || undefined });
    await reauthentication.require(e, demandCredential(e), currentPassword);
    return e.json(200, toRecord(await accounts.create(email, password, callerOf(e))));
  });

  records.get("/{id}", async (e) => e.json(200, toRecord(await accounts.get(e.pathValue("id")))));

  records.patch("/{id}", async (e) => {
    const { id, email } = await accounts.get(e.pathValue("id"));
    const names = ["password", "passwordConfirm", "oldPassword", "currentPassword"] as const;
    const { password, passwordConfirm, oldPassword, currentPassword } = await readFields(e, ...names);
    refuseNewPassword({ password, passwordConfirm: passwordConfirm || undefined });
    const caller = demandCredential(e);
    const isOwn = id === caller.superuser.id;
    if (isOwn) await reauthentication.requireOldPassword(e, caller, oldPassword);
    else {
      await reauthentication.require(e, caller, currentPassword);
      // The PocketBase client may send the old password of any account.
      if (oldPassword !== "") await confirmPassword(email, oldPassword, e);
    }
    await accounts.changePassword(id, password, { ...callerOf(e), keptToken: caller.tokenHash });
    const changed = await accounts.get(id);
    if (isOwn) await signIn.rememberCaller(e, changed);
    return e.json(200, toRecord(changed));
  });

  records.delete("/{id}", async (e) => {
    const { currentPassword } = await readOptionalFields(e, "currentPassword");
    await reauthentication.require(e, demandCredential(e), currentPassword);
    await accounts.remove(e.pathValue("id"), callerOf(e));
    return e.noContent();
  });
}

/** The superuser who makes a change, for the audit log. */
function callerOf(e: RequestEvent): ChangedBy {
  return { actor: demandCredential(e).superuser.email, origin: originOf(e) };
}

function sendToken(e: RequestEvent, token: string, superuser: Superuser) {
  e.setHeader("Cache-Control", "no-store");
  return e.json(200, { token, record: toRecord(superuser) });
}

function toRecord({ id, email, created, updated }: Superuser) {
  return {
    id,
    collectionId: superusersCollectionId,
    collectionName: "_superusers",
    email,
    emailVisibility: false,
    verified: true,
    created: created.toISOString(),
    updated: updated.toISOString(),
  };
}
