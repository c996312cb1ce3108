// API_SOURCE
import type { RequestEvent } from "../../../../src/index.ts";
import { rows, type Tables } from "./tables.ts";

export function makeList<Name extends keyof Tables>(table: Name, usualLimit = 25) {
  return (e: RequestEvent) => {
    const limit = Number(e.query("limit") ?? usualLimit);
    if (limit > 200) throw e.error(400, "At most 200 at a time.");
    return e.json(200, rows(table).slice(0, limit));
  };
}

export const makeGet =
  <Name extends keyof Tables>(table: Name, message: string) =>
  (e: RequestEvent<"id">) => {
    const row = rows(table).find(({ id }) => id === e.pathValue("id"));
    if (row === undefined) throw e.error(404, message);
    return e.json(200, row);
  };
