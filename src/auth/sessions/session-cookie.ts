import type { RequestEvent } from "../../http/index.ts";
import { createCookie } from "./cookie.ts";
import type { IssuedToken } from "./tokens.ts";

const cookie = createCookie("annex_session");

export const readSessionCookie = cookie.read;
export const clearSessionCookie = cookie.clear;

export function setSessionCookie(e: RequestEvent, { text, ttlMs }: IssuedToken): void {
  cookie.write(e, text, ttlMs);
}
