import { isIPv6 } from "node:net";

/** The network of an address for rate limits. For IPv6, it is the /64, because a client can use any address in it. */
export function networkOf(address: string): string {
  // The first check is much cheaper, and enough for most addresses.
  if (!address.includes(":") || !isIPv6(address)) return address;
  const [front = "", back = ""] = address.split("::");
  const groups = front === "" ? [] : front.split(":");
  const known = back === "" ? 0 : back.split(":").length;
  while (groups.length < 8 - known) groups.push("0");
  const prefix = [...groups, ...back.split(":")].slice(0, 4);
  return `${prefix.map((group) => Number.parseInt(group, 16).toString(16)).join(":")}::/64`;
}
