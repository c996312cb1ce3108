import { parseUserAgent } from "../lib/user-agent.ts";

const unknown = "Unknown client";

/** Names a client for people, such as "Firefox on Linux" or "curl". */
export function nameClient(agent: string | null | undefined): string {
  if (!agent) return unknown;
  const { browser, os } = parseUserAgent(agent);
  if (browser !== undefined) return os === undefined ? browser : `${browser} on ${os}`;
  return nameProgram(agent) ?? unknown;
}

/** The product name that a program puts first: "curl" of `curl/8.5.0`. Every browser calls itself Mozilla. */
function nameProgram(agent: string): string | undefined {
  const [name] = /^[a-z][\w.+-]{0,39}(?=[/\s(;]|$)/i.exec(agent) ?? [];
  return name === "Mozilla" ? undefined : name;
}
