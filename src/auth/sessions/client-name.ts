import { parseUserAgent } from "../../lib/user-agent.ts";

const unknown = "Unknown client";

/** A readable client name, such as "Firefox on Linux" or "curl". */
export function nameClient(agent: string | null | undefined): string {
  if (!agent) return unknown;
  const { browser, os } = parseUserAgent(agent);
  if (browser !== undefined) return os === undefined ? browser : `${browser} on ${os}`;
  return nameProgram(agent) ?? unknown;
}

/** The first product name of a user agent: "curl" in `curl/8.5.0`. All browsers start with "Mozilla". */
function nameProgram(agent: string): string | undefined {
  const [name] = /^[a-z][\w.+-]{0,39}(?=[/\s(;]|$)/i.exec(agent) ?? [];
  return name === "Mozilla" ? undefined : name;
}
