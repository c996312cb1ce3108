// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

interface Connection {
  readonly apiKey: string;
  readonly region: string;
}

function describe({ apiKey, region }: Connection) {
  return `${region} ${apiKey.length}`;
}

class Client {
  readonly password: string;

  constructor(word: string) {
    this.password = word;
  }
}

/** Parameters with harmless names whose values are credentials, because a field or a variable says so. */
function read(e: RequestEvent) {
  const token = e.query("a") ?? "canary-variable";
  const apiKey = (e.query("b") ?? "canary-argument").trim();
  const { d: secret = "canary-pattern" } = Object.fromEntries(e.url.searchParams);
  const client = new Client(e.query("f") ?? "canary-instance");
  const connection = describe({ apiKey, region: e.query("region") ?? "eu" });
  return e.json(200, {
    token: e.query("c") ?? "canary-field",
    session: { signature: e.header("X-Mark") ?? "canary-nested" },
    pin: Number(e.query("e") ?? 7331),
    tokenLength: token.length,
    lengths: [secret.length, client.password.length, connection.length],
  });
}

export function routes(router: VersionedRouter): void {
  router.get("/read", read);
}
