import type { RequestEvent } from "../http/index.ts";
import type { IssuedToken } from "./tokens.ts";

// A browser takes a cookie with this prefix only from the host itself and over TLS. It keeps apart by host, not by port,
// so on plain HTTP the port stands in the name: two servers on one machine would sign each other's people out.
function cookieName(e: RequestEvent): string {
  return e.isSecure ? "__Host-annex_session" : `annex_session_${e.url.port || "80"}`;
}

export function readSessionCookie(e: RequestEvent): string | undefined {
  // Most cookies are the application's own, and finding out the name takes longer than this.
  return e.header("cookie")?.includes("annex_session") ? e.cookie(cookieName(e)) : undefined;
}

export function setSessionCookie(e: RequestEvent, { text, ttlMs }: IssuedToken): void {
  writeCookie(e, text, Math.floor(ttlMs / 1000));
}

export function clearSessionCookie(e: RequestEvent): void {
  writeCookie(e, "", 0);
}

function writeCookie(e: RequestEvent, value: string, maxAge: number): void {
  const secure = e.isSecure ? "; Secure" : "";
  const attributes = `Path=/; Max-Age=${maxAge}; HttpOnly; SameSite=Strict${secure}`;
  e.setHeader("Set-Cookie", `${cookieName(e)}=${value}; ${attributes}`);
}
