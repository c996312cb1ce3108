// API_SOURCE
import { createHash, randomBytes, randomUUID } from "node:crypto";
import { type Identity, type RequestEvent, type Router, requireAuth } from "../../src/index.ts";
import { tablesOf } from "./tables.ts";

interface NewPerson {
  /** @minLength 1 */
  name: string;
}

// API_DESC Adds a person and tells the key with which they sign their requests. The key is shown this once.
// API_TAGS people
async function addPerson(e: RequestEvent) {
  const { name } = await e.bindBody<NewPerson>();
  if (typeof name !== "string" || name.trim() === "") {
    throw e.error(400, "A person has a name.", { name: { code: "required", message: "Give a name." } });
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

// API_DESC Tells who the key belongs to.
// API_TAGS people
function whoAmI(e: RequestEvent) {
  return e.json(200, { id: e.auth!.id, name: e.auth!.name ?? null });
}

export function mountPeople(router: Router): void {
  router.post("/people", addPerson);
  router.get("/people/me", whoAmI).bind(requireAuth());
}

/** The person whose key signs the request; becomes `e.auth`. */
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
