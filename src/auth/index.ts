/**
 * Authentication. Superusers sign in with a password, at `/_/` or through the API, and get a browser session or an
 * opaque token. Both can be revoked at any time. The application authenticates all other users.
 *
 * ```ts
 * const auth = createAuth({ database: async () => database, clock: systemClock });
 * auth.mount(listener.routes.router("Annex"));
 * listener.identifyWith(auth.identify);
 * auth.resolveWith((e) => (e.header("x-api-key") === key ? { id: "robot" } : null));
 * router.get("/secret", (e) => e.text(200, `Hello ${e.auth?.id}`)).bind(requireAuth());
 * console.log(await auth.createSetupLink("http://127.0.0.1:8090"));
 * ```
 */
export { type AccessEvent, type AccessKind, accessKinds } from "./access-event.ts";
export type { AccountChange } from "./account-change.ts";
export type { Superuser } from "./accounts.ts";
export { type Auth, type AuthOptions, authDefaults, createAuth } from "./auth.ts";
export { demandSuperuser, requireAuth, requireSuperuserAuth } from "./guards.ts";
export type { PasswordHasher } from "./passwords.ts";
export { isSuperuser, revocationSignal, type SuperuserIdentity } from "./superuser-identity.ts";
export type { Superusers } from "./superusers.ts";
export { authMigrations } from "./tables.ts";
export type { Weakness, WeakPassword } from "./weak-passwords.ts";
