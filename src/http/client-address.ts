import { BlockList, isIP } from "node:net";

/** Determines the client's address: the socket's, or the one that a trusted proxy forwards. */
export interface ProxyTrust {
  isTrusted(address: string): boolean;
  /** The client's address, given the socket's and the `X-Forwarded-For` header. */
  clientAddress(socketAddress: string, forwardedFor: string | undefined): string;
}

/** Parses `["127.0.0.1", "10.0.0.0/8", "fd00::/8"]`. Throws an `Error` that names an invalid entry. */
export function parseTrustedProxies(entries: readonly string[]): ProxyTrust | undefined {
  if (entries.length === 0) return undefined;
  const list = new BlockList();
  for (const entry of entries) addEntry(list, entry);
  const isTrusted = (address: string) => {
    const version = isIP(address);
    return version !== 0 && list.check(address, version === 6 ? "ipv6" : "ipv4");
  };
  return {
    isTrusted,
    clientAddress(socketAddress, forwardedFor) {
      if (!forwardedFor || !isTrusted(socketAddress)) return socketAddress;
      // Each proxy appends the address of its peer, so the list is read from its end. The first address that is not a
      // trusted proxy is the client. Addresses before it may be forged.
      const hops = forwardedFor.split(",");
      let client = socketAddress;
      for (let index = hops.length - 1; index >= 0; index--) {
        const hop = plainAddress(hops[index]!.trim());
        if (isIP(hop) === 0) break;
        client = hop;
        if (!isTrusted(hop)) break;
      }
      return client;
    },
  };
}

function addEntry(list: BlockList, entry: string): void {
  const [address = "", bits, ...more] = entry.split("/");
  const version = isIP(address);
  const most = version === 6 ? 128 : 32;
  const prefix = bits === undefined ? most : Number(bits);
  if (version === 0 || !/^\d+$/.test(bits ?? "0") || prefix > most || more.length > 0) {
    throw new Error(`"${entry}" is neither an address nor a network such as 10.0.0.0/8`);
  }
  list.addSubnet(address, prefix, version === 6 ? "ipv6" : "ipv4");
}

/** Converts IPv4-mapped IPv6 addresses to IPv4, and removes brackets and ports of forwarded addresses. */
export function plainAddress(address: string): string {
  if (address.startsWith("[")) return plainAddress(address.slice(1, address.indexOf("]")));
  if (/^::ffff:.*\./i.test(address)) return address.slice(7);
  const colon = address.indexOf(":");
  return colon !== -1 && address.includes(".") && colon === address.lastIndexOf(":")
    ? address.slice(0, colon)
    : address;
}
