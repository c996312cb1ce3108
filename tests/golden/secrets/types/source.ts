// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

const API_KEY = "canary-typed";
const config = { webhookSecret: "canary-nested-type", region: "eu" } as const;
const HEADER = `Bearer ${API_KEY}` as const;

type KeyName = "canary-alias-a" | "canary-alias-b";
type Prefixed = `canary-prefix-${string}`;

interface Credentials {
  apiKey: "canary-literal-a" | "canary-literal-b";
  /**
   * Ask for canary-described.
   * @default canary-tag-default
   * @example canary-tag-example
   * @pattern ^canary-tag-pattern$
   * @minLength 8
   */
  password: string;
  accessToken?: KeyName;
  refreshToken: Prefixed | null;
  clientSecrets: ("canary-item-a" | "canary-item-b")[];
  /** @default 7331 */
  pin: number;
  auth: { word: "canary-inner"; realm: "canary-realm" };
  /** Values of other fields stay. */
  grant: "password" | "refresh";
}

interface ByKey {
  secret: "canary-kind-a";
  value: string;
}
interface ByOther {
  secret: "canary-kind-b";
  value: string;
}

interface Box<T> {
  content: T;
}
declare function boxed<T>(content: T): Box<T>;

async function signIn(e: RequestEvent) {
  const { grant } = await e.bindBody<Credentials>();
  return e.json(200, { grant, token: "canary-response", kind: API_KEY } as const);
}

class Holder {
  readonly held = API_KEY;
  readonly region = config.region;
}

function show(e: RequestEvent) {
  if (e.query("a")) return e.json(200, API_KEY);
  if (e.query("b"))
    return e.json(201, { hook: config.webhookSecret, header: HEADER, region: config.region } as const);
  if (e.query("c")) return e.json(202, config);
  if (e.query("d")) return e.json(203, boxed<typeof API_KEY>(API_KEY));
  if (e.query("f")) return e.json(206, new Holder());
  const computed = { [API_KEY]: true } as const;
  return e.json(207, computed);
}

function either(e: RequestEvent) {
  const found = {} as ByKey | ByOther;
  return e.json(200, found);
}

export function routes(router: VersionedRouter): void {
  router.post("/sign-in", signIn);
  router.get("/show", show);
  router.get("/either", either);
}
