import type { RequestEvent } from "../../../../src/index.ts";

export type Role = "admin" | "planner" | "nurse";

export interface StaffMember {
  id: string;
  role: Role;
}

const sessions = new Map<string, StaffMember>();

function bearer(e: RequestEvent): string | undefined {
  const header = e.header("Authorization");
  return header?.startsWith("Bearer ") ? header.slice("Bearer ".length) : undefined;
}

export async function maybeStaff(e: RequestEvent): Promise<StaffMember | undefined> {
  const session = bearer(e);
  return session === undefined ? undefined : sessions.get(session);
}

export async function staffOf(e: RequestEvent): Promise<StaffMember> {
  const session = bearer(e);
  if (session === undefined) throw e.error(401, "Sign in first.");
  const staff = sessions.get(session);
  if (!staff) throw e.error(401, "The session has ended.");
  return staff;
}

export const requireRole =
  (role: Role) =>
  <E extends RequestEvent>(handler: (e: E) => unknown) =>
  async (e: E) => {
    const staff = await staffOf(e);
    if (staff.role !== role && staff.role !== "admin") throw e.error(403, `Only a ${role} may do this.`);
    return handler(e);
  };
