import { neverCached, query, type RequestEvent, type Router, readQuery } from "../http/index.ts";
import { toPageResponse } from "../lib/page.ts";
import { requireSuperuserAuth } from "./guards/guards.ts";
import type { AuthServices } from "./services.ts";
import type { Session } from "./sessions/sessions.ts";
import { demandCredential } from "./sessions/superuser-identity.ts";

/** Registers the API for the caller's own sessions and tokens. */
export function mountSessions(router: Router, services: AuthServices): void {
  const { sessions } = services;
  router.bind(requireSuperuserAuth(), neverCached);

  router.get("/", async (e) => {
    const { page: request } = readQuery(e, { page: query.page({ perPage: 30 }) });
    const { sessions: items, total } = await sessions.list(demandCredential(e), request);
    return e.json(200, toPageResponse(request, total, items.map(toRecord)));
  });

  router.delete("/{id}", async (e) => {
    await endSession(e, services, e.pathValue("id"));
    return e.noContent();
  });

  router.delete("/", async (e) => {
    await endOtherSessions(e, services);
    return e.noContent();
  });
}

/** Ends one of the caller's sessions and reports it. */
export async function endSession(
  e: RequestEvent,
  { sessions, reportAccess }: AuthServices,
  id: string,
): Promise<Session> {
  const credential = demandCredential(e);
  const ended = await sessions.end(credential, id);
  const { email } = credential.superuser;
  const detail = ended.address === undefined ? ended.agent : `${ended.agent} at ${ended.address}`;
  reportAccess(e, { kind: "session-revoked", account: email, actor: email, detail });
  return ended;
}

/** Ends all other sessions of the caller and reports it. Only this client stays known. */
export async function endOtherSessions(
  e: RequestEvent,
  { sessions, accounts, signIn, reportAccess }: AuthServices,
): Promise<void> {
  const credential = demandCredential(e);
  const { id, email } = credential.superuser;
  await sessions.endOthers(credential);
  await signIn.rememberCaller(e, await accounts.get(id));
  const detail = "All other sessions and tokens";
  reportAccess(e, { kind: "session-revoked", account: email, actor: email, detail });
}

function toRecord({ address, signedIn, lastUsed, expires, isCurrent, ...session }: Session) {
  return {
    ...session,
    address: address ?? null,
    signedIn: signedIn.toISOString(),
    lastUsed: lastUsed.toISOString(),
    expires: expires.toISOString(),
    current: isCurrent,
  };
}
