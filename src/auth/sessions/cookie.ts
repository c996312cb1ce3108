import type { RequestEvent } from "../../http/index.ts";

/** A cookie that scripts cannot read and that is not sent with cross-site requests. */
export interface Cookie {
  read(e: RequestEvent): string | undefined;
  write(e: RequestEvent, value: string, ttlMs: number): void;
  clear(e: RequestEvent): void;
}

export function createCookie(name: string): Cookie {
  // A browser accepts a cookie with the __Host- prefix only from the host itself and over TLS. Browsers do not separate
  // cookies by port. On plain HTTP the port is part of the name, so that two servers on one host do not share a cookie.
  // The base path is part of the name for the same reason. As the path of the cookie, it would exclude the application's
  // routes and the __Host- prefix.
  const nameFor = (e: RequestEvent) => {
    const own = name + e.basePath.replaceAll(/[^A-Za-z0-9]+/g, "_");
    return e.isSecure ? `__Host-${own}` : `${own}_${e.url.port || "80"}`;
  };

  return {
    // Most cookies belong to the application. Searching for the base name is cheaper than building the full name.
    read: (e) => (e.header("cookie")?.includes(name) ? e.cookie(nameFor(e)) : undefined),
    write: (e, value, ttlMs) =>
      e.setCookie(nameFor(e), value, { maxAge: Math.floor(ttlMs / 1000), sameSite: "strict" }),
    clear: (e) => e.clearCookie(nameFor(e), { sameSite: "strict" }),
  };
}
