// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

interface User {
  id: string;
  name: string;
  email?: string;
  password: string;
}

declare function find(): User;
declare function all(): Omit<User, "password">[];
declare function save(user: Partial<Pick<User, "name" | "email">>): void;
declare function full(): Required<Readonly<Omit<User, "password">>>;
declare function filtered(): { role: Exclude<"a" | "b" | "c", "c">; name: NonNullable<User["email"]> };

function getUser(e: RequestEvent) {
  const user: Pick<User, "id" | "name"> = find();
  return e.json(200, user);
}

function listUsers(e: RequestEvent) {
  return e.json(200, all());
}

async function changeUser(e: RequestEvent) {
  const change = await e.bindBody<Partial<Pick<User, "name" | "email">>>();
  save(change);
  return e.noContent();
}

function getFull(e: RequestEvent) {
  return e.json(200, full());
}

function getFiltered(e: RequestEvent) {
  return e.json(200, filtered());
}

export function routes(router: VersionedRouter): void {
  router.get("/user", getUser);
  router.get("/users", listUsers);
  router.patch("/user", changeUser);
  router.get("/full", getFull);
  router.get("/filtered", getFiltered);
}
