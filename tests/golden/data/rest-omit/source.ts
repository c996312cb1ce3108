// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

interface User {
  id: string;
  name: string;
  passwordHash: string;
  salt: string;
}

declare function find(): User;
declare function all(): User[];

function getUser(e: RequestEvent) {
  const { passwordHash, salt, ...user } = find();
  return e.json(200, user);
}

function listUsers(e: RequestEvent) {
  return e.json(
    200,
    all().map(({ passwordHash: _, salt: __, ...user }) => user),
  );
}

function publicUser({ id, name }: User) {
  return { id, name };
}

function showUser(e: RequestEvent) {
  return e.json(200, publicUser(find()));
}

export function routes(router: VersionedRouter): void {
  router.get("/user", getUser);
  router.get("/users", listUsers);
  router.get("/shown", showUser);
}
