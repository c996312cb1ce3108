// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

const ADMIN_TOKEN = "canary-admin";
const expected = `The token is ${ADMIN_TOKEN}.`;

class WrongKey extends Error {}

function refuse(e: RequestEvent) {
  if (e.query("a")) throw e.error(400, `Send ${ADMIN_TOKEN}.`);
  if (e.query("b")) throw e.error(409, expected);
  if (e.query("c")) throw e.error(410, process.env.ANNEX_GOLDEN_WORD ?? "canary-message");
  if (e.query("d")) throw new WrongKey(ADMIN_TOKEN);
  if (e.query("f")) return e.redirect(302, `/hook/${ADMIN_TOKEN}`);
  e.setHeader("X-Next", ADMIN_TOKEN);
  return e.bytes(200, ADMIN_TOKEN, Buffer.from(ADMIN_TOKEN));
}

export function routes(router: VersionedRouter): void {
  router.get("/refuse", refuse);
}
