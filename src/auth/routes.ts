import { bodyLimit, type RequestEvent, type Router } from "../http/index.ts";
import type { FieldProblem } from "../lib/errors.ts";
import { refuseInvalid } from "../lib/fields.ts";
import { pageAnswer, parsePage } from "../lib/page.ts";
import type { ChangedBy } from "./account-change.ts";
import type { Superuser } from "./accounts.ts";
import { whenAvailable } from "./available.ts";
import { formBytes, readFields } from "./body-fields.ts";
import { AUTH_REQUIRED } from "./errors.ts";
import { refuseNewPassword, refuseNewSuperuser } from "./fields.ts";
import { refuseForeignOrigin } from "./foreign-origin.ts";
import { requireSuperuserAuth } from "./guards.ts";
import { originOf } from "./request-origin.ts";
import type { AuthServices } from "./services.ts";
import { credentialOf } from "./superuser-identity.ts";
import { type Credential, superusersCollectionId } from "./tokens.ts";

/** The API for programs, in the words of PocketBase, so that its public client works unchanged. */
export function mountApi(router: Router, services: AuthServices): void {
  const { tokens, signIn } = services;
  const api = router.setPrefix("/api/collections/_superusers");
  api.bind(bodyLimit(formBytes));

  api
    .post("/auth-with-password", async (e) => {
      const account = await signIn.withPassword(e, await readFields(e, "identity", "password"), "API");
      const { text } = await whenAvailable(tokens.issue(account, "token"));
      await signIn.remember(e, account, "API");
      return answerToken(e, text, account);
    })
    .bind(refuseForeignOrigin());

  api
    .post("/auth-refresh", async (e) => {
      const { superuser, generation, kind, tokenHash } = credentialOfSuperuser(e);
      // A script that got into a page must not turn the page's session into a token to take away.
      if (kind !== "token") throw AUTH_REQUIRED();
      const { text } = await tokens.issue({ id: superuser.id, generation }, "token");
      await tokens.endSoon(tokenHash);
      return answerToken(e, text, superuser);
    })
    .bind(refuseForeignOrigin(), requireSuperuserAuth());

  api
    .post("/auth-logout", async (e) => {
      await tokens.end(credentialOfSuperuser(e).tokenHash);
      return e.noContent();
    })
    .bind(refuseForeignOrigin(), requireSuperuserAuth());

  mountRecords(api.setPrefix("/records"), services);
}

function mountRecords(records: Router, { accounts, confirmPassword }: AuthServices): void {
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
    const { email, password, passwordConfirm } = await readFields(e, "email", "password", "passwordConfirm");
    refuseNewSuperuser({ email, password, passwordConfirm: passwordConfirm || undefined });
    return e.json(200, toRecord(await accounts.create(email, password, callerOf(e))));
  });

  records.get("/{id}", async (e) => e.json(200, toRecord(await accounts.get(e.pathValue("id")))));

  records.patch("/{id}", async (e) => {
    const { id, email } = await accounts.get(e.pathValue("id"));
    const fields = await readFields(e, "password", "passwordConfirm", "oldPassword");
    refuseNewPassword({ ...fields, passwordConfirm: fields.passwordConfirm || undefined });
    if (fields.oldPassword !== "") await confirmPassword(email, fields.oldPassword, e);
    const { tokenHash } = credentialOfSuperuser(e);
    await accounts.changePassword(id, fields.password, { ...callerOf(e), keptToken: tokenHash });
    return e.json(200, toRecord(await accounts.get(id)));
  });

  records.delete("/{id}", async (e) => {
    await accounts.remove(e.pathValue("id"), callerOf(e));
    return e.noContent();
  });
}

function credentialOfSuperuser(e: RequestEvent): Credential {
  const credential = credentialOf(e.auth);
  if (!credential) throw AUTH_REQUIRED();
  return credential;
}

/** The superuser who makes a change, for the records of it. */
function callerOf(e: RequestEvent): ChangedBy {
  return { actor: credentialOfSuperuser(e).superuser.email, origin: originOf(e) };
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

/** A list that ignored a filter would answer another question than the one that was asked. */
function refuseUnsupported(e: RequestEvent, ...names: string[]): void {
  const problem = (name: string): FieldProblem | undefined =>
    e.query(name) ? { code: "unsupported", message: `This list has no ${name}.` } : undefined;
  refuseInvalid(Object.fromEntries(names.map((name) => [name, problem(name)])));
}
