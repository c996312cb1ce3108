import type { RequestEvent } from "../../../../src/index.ts";
import { words } from "./words.ts";

export async function guard(e: RequestEvent<never>) {
  if (e.header("X-Door") !== words.front && e.header("X-Door") !== words.back) throw e.error(401, "Closed.");
  const group = e.query("group") ?? "canary-group";
  if (!words.groups.includes(group)) return e.json(403, { message: "Not yours." });
  await e.next();
}

/** What the functions behind it refuse becomes a refusal of access. */
export async function cover(e: RequestEvent<never>) {
  try {
    await e.next();
  } catch {
    throw e.error(403);
  }
}
