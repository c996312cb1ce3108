import type { RequestEvent } from "../../../../src/index.ts";

export async function requireWord(e: RequestEvent) {
  const { word } = await e.bindBody<{ word: "CANARY-middleware" }>();
  if (word !== "CANARY-middleware") throw e.error(401);
  return e.next();
}
