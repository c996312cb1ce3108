import { ApiError } from "../../../../src/index.ts";
import type { Role } from "./roles.ts";

export interface User {
  id: string;
  email: string;
  role: Role;
  createdAt: Date;
  blockedAt: Date | null;
}

export interface AuditEntry {
  at: Date;
  actor: string;
  action: "role-changed" | "blocked" | "unblocked";
  user: string;
}

const users = new Map<string, User>();
const audit: AuditEntry[] = [];

export function findUsers(role: string | undefined, text: string | undefined, withBlocked: boolean): User[] {
  return [...users.values()].filter(
    (user) =>
      (role === undefined || user.role === role) &&
      (text === undefined || user.email.includes(text)) &&
      (withBlocked || user.blockedAt === null),
  );
}

export function userById(id: string): User {
  const user = users.get(id);
  if (!user) throw new ApiError(404, "There is no such user.");
  return user;
}

export function note(entry: AuditEntry): void {
  audit.push(entry);
}

export function auditSince(since: Date | undefined): AuditEntry[] {
  return audit.filter((entry) => since === undefined || entry.at >= since);
}
