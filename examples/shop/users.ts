// API_SOURCE
import { createHash, randomBytes, randomUUID } from "node:crypto";
import { type Identity, type RequestEvent, type Router, rateLimit, requireAuth } from "../../src/index.ts";
import { hashPassword, isPassword, refusePassword } from "./passwords.ts";
import { tablesOf } from "./tables.ts";

/** The cookie with the token of a session. */
export const sessionCookie = "shop_session";

const sessionSeconds = 7 * 24 * 3_600;

interface NewUser {
  /** @pattern ^\S+@\S+$ */
  email: string;
  /** @minLength 1 */
  name: string;
  /** @minLength 8 */
  password: string;
}

interface Credentials {
  email: string;
  password: string;
}

// API_DESC Creates an account and signs in.
// API_TAGS users
async function signUp(e: RequestEvent) {
  const { email, name, password } = await e.bindBody<NewUser>();
  const user = { id: randomUUID(), email: email.toLowerCase(), name };
  const tables = await tablesOf(e);
  const { numInsertedOrUpdatedRows } = await tables
    .insertInto("users")
    .values({ ...user, password_hash: await hashPassword(password) })
    .onConflict((conflict) => conflict.column("email").doNothing())
    .executeTakeFirst();
  if (Number(numInsertedOrUpdatedRows) === 0) throw e.error(409, "This email address has an account.");
  await startSession(e, user.id);
  return e.json(201, user);
}

// API_DESC Signs in. The response sets the session cookie.
// API_TAGS users
async function signIn(e: RequestEvent) {
  const { email, password } = await e.bindBody<Credentials>();
  const tables = await tablesOf(e);
  const user = await tables
    .selectFrom("users")
    .selectAll()
    .where("email", "=", email.toLowerCase())
    .executeTakeFirst();
  const isRight = user ? await isPassword(password, user.password_hash) : await refusePassword(password);
  if (!user || !isRight) throw e.error(401, "Invalid email address or password.");
  await startSession(e, user.id);
  return e.json(200, { id: user.id, email: user.email, name: user.name });
}

// API_DESC Signs out.
// API_TAGS users
async function signOut(e: RequestEvent) {
  const token = e.cookie(sessionCookie);
  if (token !== undefined)
    await (await tablesOf(e)).deleteFrom("sessions").where("token_hash", "=", hash(token)).execute();
  e.clearCookie(sessionCookie);
  return e.noContent();
}

// API_DESC Returns the user who is signed in.
// API_TAGS users
function whoAmI(e: RequestEvent) {
  return e.json(200, { id: e.auth!.id, name: String(e.auth!.name) });
}

export function mountUsers(router: Router): void {
  const attempts = rateLimit({ limit: 10, per: "1m" });
  router.post("/users", signUp).bind(attempts);
  router.post("/session", signIn).bind(attempts);
  router.delete("/session", signOut);
  router.get("/session", whoAmI).bind(requireAuth());
}

async function startSession(e: RequestEvent, userId: string): Promise<void> {
  const token = randomBytes(32).toString("base64url");
  const expires = Date.now() + sessionSeconds * 1_000;
  await (await tablesOf(e))
    .insertInto("sessions")
    .values({ token_hash: hash(token), user_id: userId, expires })
    .execute();
  e.setCookie(sessionCookie, token, { maxAge: sessionSeconds });
}

/** Finds the user of the session cookie. The result becomes `e.auth`. */
export async function identifyUser(e: RequestEvent): Promise<Identity | null> {
  const token = e.cookie(sessionCookie);
  if (token === undefined) return null;
  const user = await (await tablesOf(e))
    .selectFrom("sessions")
    .innerJoin("users", "users.id", "sessions.user_id")
    .select(["users.id", "users.name"])
    .where("token_hash", "=", hash(token))
    .where("expires", ">", Date.now())
    .executeTakeFirst();
  return user ?? null;
}

function hash(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}
