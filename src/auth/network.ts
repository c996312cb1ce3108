import { isIPv6 } from "node:net";

/** Whom an address stands for: itself, or in IPv6 the /64 that one household or machine can choose from freely. */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address;
  const [front = "", back = ""] = address.split("::");
  const groups = front === "" ? [] : front.split(":");
  const known = back === "" ? 0 : back.split(":").length;
  while (groups.length < 8 - known) groups.push("0");
  const prefix = [...groups, ...back.split(":")].slice(0, 4);
  return `${prefix.map((group) => Number.parseInt(group, 16).toString(16)).join(":")}::/64`;
}
