/**
 * Authentication. Superusers sign in with a password, at `/_/` or through the API, and get a browser session or an
 * opaque token. Both can be revoked at any time. The application authenticates all other users.
 *
 * ```ts
 * const auth = createAuth({ database: async () => database, clock: systemClock });
 * auth.mount(listener.routes.router("Annex"));
 * listener.identifyWith(auth.identify, revocationOf);
 * auth.resolveWith((e) => (e.header("x-api-key") === key ? { id: "robot" } : null));
 * router.get("/secret", (e) => e.text(200, `Hello ${e.auth?.id}`)).bind(requireAuth());
 * console.log(await auth.createSetupLink("http://127.0.0.1:8090"));
 * ```
 */
export { type AccessEvent, type AccessKind, accessKinds } from "./access-event.ts";
export type { AccountChange } from "./accounts/account-change.ts";
export { lockSuperuser } from "./accounts/accounts.ts";
export type { Superusers } from "./accounts/superusers.ts";
export { type Auth, type AuthOptions, createAuth } from "./auth.ts";
export { demandSuperuser, requireAuth, requireSuperuserAuth } from "./guards/guards.ts";
export { authOptions } from "./options.ts";
export type { PasswordHasher } from "./passwords/passwords.ts";
export type { Weakness } from "./passwords/weak-passwords.ts";
export { actorOf, isSuperuser, revocationOf, revocationSignal } from "./sessions/superuser-identity.ts";
export { type AuthTables, authMigrations, authStore } from "./tables.ts";
