import { bodyLimit, type RequestEvent, type Router } from "../http/index.ts";
import type { FieldProblem } from "../lib/errors.ts";
import { refuseInvalid } from "../lib/fields.ts";
import { pageAnswer, parsePage } from "../lib/page.ts";
import type { ChangedBy } from "./account-change.ts";
import type { Superuser } from "./accounts.ts";
import { whenAvailable } from "./available.ts";
import { formBytes, readFields, readOptionalFields } from "./body-fields.ts";
import { AUTH_REQUIRED } from "./errors.ts";
import { refuseNewPassword, refuseNewSuperuser } from "./fields.ts";
import { refuseForeignOrigin } from "./foreign-origin.ts";
import { requireSuperuserAuth } from "./guards.ts";
import { originOf } from "./request-origin.ts";
import type { AuthServices } from "./services.ts";
import { mountSessions } from "./session-routes.ts";
import { demandCredential } from "./superuser-identity.ts";
import { superusersCollectionId } from "./tokens.ts";

/** Registers the API. It is compatible with PocketBase, so that the PocketBase client works unchanged. */
export function mountApi(router: Router, services: AuthServices): void {
  const { tokens, signIn, reportAccess } = services;
  const api = router.setPrefix("/api/collections/_superusers");
  api.bind(bodyLimit(formBytes));

  api
    .post("/auth-with-password", async (e) => {
      const account = await signIn.withPassword(e, await readFields(e, "identity", "password"), "API");
      const { text } = await whenAvailable(tokens.issue(account, "token", originOf(e)));
      await signIn.remember(e, account, "API");
      return answerToken(e, text, account);
    })
    .bind(refuseForeignOrigin());

  api
    .post("/auth-refresh", async (e) => {
      const credential = demandCredential(e);
      // An injected script must not exchange the session of a page for a token.
      if (credential.kind !== "token") throw AUTH_REQUIRED();
      const renewed = await tokens.renew(credential, originOf(e));
      if (!renewed) throw AUTH_REQUIRED();
      return answerToken(e, renewed.text, credential.superuser);
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

function mountRecords(records: Router, { accounts, proof, signIn, confirmPassword }: AuthServices): void {
  records.bind(requireSuperuserAuth());

  records.get("/", async (e) => {
    refuseUnsupported(e, "filter", "sort");
    const request = parsePage((name) => e.query(name), 30);
    const all = await accounts.list();
    const start = (request.page - 1) * request.perPage;
    const items = all.slice(start, start + request.perPage).map(toRecord);
    return e.json(200, pageAnswer(request, all.length, items));
  });

  records.post("/", async (e) => {
    const fields = await readFields(e, "email", "password", "passwordConfirm", "currentPassword");
    const { email, password, currentPassword } = fields;
    refuseNewSuperuser({ ...fields, passwordConfirm: fields.passwordConfirm || undefined });
    await proof.demand(e, demandCredential(e), currentPassword);
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
    if (isOwn) await proof.demandOld(e, caller, oldPassword);
    else {
      await proof.demand(e, caller, currentPassword);
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
    await proof.demand(e, demandCredential(e), currentPassword);
    await accounts.remove(e.pathValue("id"), callerOf(e));
    return e.noContent();
  });
}

/** The superuser who makes a change, for the audit log. */
function callerOf(e: RequestEvent): ChangedBy {
  return { actor: demandCredential(e).superuser.email, origin: originOf(e) };
}

function answerToken(e: RequestEvent, token: string, superuser: Superuser) {
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

/** Rejects unsupported query parameters, because ignoring a filter would return a wrong list. */
function refuseUnsupported(e: RequestEvent, ...names: string[]): void {
  const problem = (name: string): FieldProblem | undefined =>
    e.query(name)
      ? { code: "unsupported", message: `The query parameter ${name} is not supported.` }
      : undefined;
  refuseInvalid(Object.fromEntries(names.map((name) => [name, problem(name)])));
}
