// API_SOURCE
import { type RequestEvent, requireSuperuserAuth, type VersionedRouter } from "../../../../src/index.ts";
import { requireRole, type Role, ROLES, sessionOf } from "./roles.ts";
import { auditSince, findUsers, note, userById } from "./users.ts";

/** Finds users by role and email. */
async function listUsers(e: RequestEvent) {
  const role = e.query("role");
  if (role !== undefined && !(ROLES as readonly string[]).includes(role))
    throw e.error(400, "There is no such role.");
  return e.json(200, findUsers(role, e.query("email"), e.query("blocked") === "true"));
}

/** Returns one user. */
async function getUser(e: RequestEvent<"id">) {
  return e.json(200, userById(e.pathValue("id")));
}

/** Gives a user another role. */
async function changeRole(e: RequestEvent<"id">) {
  const user = userById(e.pathValue("id"));
  const actor = sessionOf(e).userId;
  if (actor === user.id) throw e.error(409, "Nobody changes their own role.");
  const { role } = await e.bindBody<{ role: Role }>();
  user.role = role;
  note({ at: new Date(), actor, action: "role-changed", user: user.id });
  return e.json(200, user);
}

/** Blocks a user, or does nothing if the user is blocked. */
async function blockUser(e: RequestEvent<"id">) {
  const user = userById(e.pathValue("id"));
  if (user.blockedAt === null) {
    user.blockedAt = new Date();
    note({ at: user.blockedAt, actor: sessionOf(e).userId, action: "blocked", user: user.id });
  }
  return e.noContent();
}

/** Returns who changed what. */
async function readAuditLog(e: RequestEvent) {
  const since = e.query("since");
  const entries = auditSince(since === undefined ? undefined : new Date(since));
  return e.json(200, { entries, count: entries.length });
}

/** Lists the roles. */
const listRoles = (e: RequestEvent) => e.json(200, [...ROLES]);

export function routes(router: VersionedRouter): void {
  const admin = router.setPrefix("/admin");
  admin.get("/users", listUsers).bind(requireRole("admin", "support"));
  admin.get("/users/{id}", getUser).bind(requireRole("admin", "support"));
  admin.put("/users/{id}/role", changeRole).bind(requireRole("admin"));
  admin.put("/users/{id}/block", blockUser).bind(requireRole("admin", "support"));
  admin.get("/audit-log", readAuditLog).bind(requireSuperuserAuth());
  router.get("/roles", listRoles);
}
