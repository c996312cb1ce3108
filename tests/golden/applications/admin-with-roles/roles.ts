import type { Handler, RequestEvent } from "../../../../src/index.ts";

export const ROLES = ["admin", "support", "customer"] as const;
export type Role = (typeof ROLES)[number];

export interface Session {
  userId: string;
  role: Role;
}

declare function findSession(token: string): Promise<Session | undefined>;

/** Middleware: lets only sessions with one of these roles through. */
export function requireRole(...allowed: Role[]): Handler {
  return async (e: RequestEvent) => {
    const header = e.header("Authorization");
    if (!header?.startsWith("Bearer ")) throw e.error(401, "Sign in first.");
    const session = await findSession(header.slice("Bearer ".length));
    if (!session) throw e.error(401, "The session has ended.");
    if (!allowed.includes(session.role)) throw e.error(403, "Your role does not allow this.");
    e.set("session", session);
    await e.next();
  };
}

export function sessionOf(e: RequestEvent): Session {
  const session = e.get<Session>("session");
  if (!session) throw new Error("requireRole() is missing on this route.");
  return session;
}
