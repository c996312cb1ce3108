// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";
import * as v from "valibot";

const Login = v.object({
  email: v.pipe(v.string(), v.email()),
  password: v.pipe(v.string(), v.minLength(8)),
  remember: v.optional(v.boolean()),
});

declare function signIn(login: v.InferOutput<typeof Login>): Promise<string>;

async function login(e: RequestEvent) {
  const token = await signIn(await e.bindBody(Login));
  return e.json(200, { token });
}

export function routes(router: VersionedRouter): void {
  router.post("/login", login);
}
