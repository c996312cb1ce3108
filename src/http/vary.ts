import type { ServerResponse } from "node:http";

/** Adds the name of a request header to `Vary`, so that caches store a response for each of its values. */
export function addVary(response: ServerResponse, name: string): void {
  const given = response.getHeader("Vary");
  if (given === undefined) {
    response.setHeader("Vary", name);
    return;
  }
  const names = String(given);
  const known = names.toLowerCase().split(/\s*,\s*/);
  if (!known.includes("*") && !known.includes(name.toLowerCase())) {
    response.setHeader("Vary", `${names}, ${name}`);
  }
}
