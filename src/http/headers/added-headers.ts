import type { ServerResponse } from "node:http";
import { addVary } from "../vary.ts";

/**
 * Sets a response header. Values of `Set-Cookie` and `Vary` are added to those that are already set, because each part
 * of a program sets its own.
 */
export function setResponseHeader(
  response: ServerResponse,
  name: string,
  value: string | number | readonly string[],
): void {
  if (name.length === 10 && name.toLowerCase() === "set-cookie") {
    response.appendHeader(name, typeof value === "object" ? [...value] : String(value));
  } else if (name.length === 4 && name.toLowerCase() === "vary") {
    for (const each of String(value).split(",")) addVary(response, each.trim());
  } else {
    response.setHeader(name, value);
  }
}
