import type { Server } from "node:http";

/** The host in a URL that a person can open. */
export function displayHost(host: string): string {
  if (host === "0.0.0.0" || host === "::") return "localhost";
  return host.includes(":") ? `[${host}]` : host;
}

/** Absent if the server listens at a Unix domain socket. */
export function urlOf(server: Server): string | undefined {
  const address = server.address();
  if (address === null || typeof address === "string") return undefined;
  const scheme = "setSecureContext" in server ? "https" : "http";
  return `${scheme}://${displayHost(address.address)}:${address.port}`;
}
