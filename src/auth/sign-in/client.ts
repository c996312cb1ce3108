import type { RequestEvent } from "../../http/index.ts";
import { createCookie } from "../sessions/cookie.ts";
import type { IssuedToken } from "../sessions/tokens.ts";

/** The client of a sign-in. */
export interface Client {
  readonly address: string;
  /** The secret in the browser's device cookie. */
  readonly device?: string | undefined;
}

const cookie = createCookie("annex_device");

export function clientOf(e: RequestEvent): Client {
  return { address: e.ip, device: cookie.read(e) };
}

export function setDeviceCookie(e: RequestEvent, { text, ttlMs }: IssuedToken): void {
  cookie.write(e, text, ttlMs);
}
