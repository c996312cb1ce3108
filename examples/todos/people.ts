// API_SOURCE
import { createHash, randomBytes, randomUUID } from "node:crypto";
import { type Identity, type RequestEvent, type Router, requireAuth } from "../../src/index.ts";
import { tablesOf } from "./tables.ts";

interface NewPerson {
  /** @minLength 1 */
  name: string;
}

// API_DESC Adds a person and returns their API key. The key is shown only once.
// API_TAGS people
async function addPerson(e: RequestEvent) {
  const { name } = await e.bindBody<NewPerson>();
  if (typeof name !== "string" || name.trim() === "") {
    throw e.error(400, "A name is required.", { name: { code: "required", message: "Enter a name." } });
  }
  const key = randomBytes(24).toString("base64url");
  const person = { id: randomUUID(), name: name.trim() };
  const tables = await tablesOf(e);
  await tables
    .insertInto("people")
    .values({ ...person, key_hash: hash(key) })
    .execute();
  return e.json(201, { ...person, key });
}

// API_DESC Returns the owner of the API key.
// API_TAGS people
function whoAmI(e: RequestEvent) {
  return e.json(200, { id: e.auth!.id, name: e.auth!.name ?? null });
}

export function mountPeople(router: Router): void {
  router.post("/people", addPerson);
  router.get("/people/me", whoAmI).bind(requireAuth());
}

/** Finds the person by the API key in the request. The result becomes `e.auth`. */
export async function identifyPerson(e: RequestEvent): Promise<Identity | null> {
  const key = /^Bearer (.+)$/i.exec(e.header("authorization") ?? "")?.[1];
  if (key === undefined) return null;
  const tables = await tablesOf(e);
  const person = await tables
    .selectFrom("people")
    .select(["id", "name"])
    .where("key_hash", "=", hash(key))
    .executeTakeFirst();
  return person ?? null;
}

function hash(key: string): string {
  return createHash("sha256").update(key).digest("hex");
}
