import type { RequestEvent } from "../../../../src/index.ts";

const ALLOWED_ORIGINS = new Set(["https://shop.example.com", "https://staging.example.com"]);

/** Lets the shop's pages call us, and answers their preflight requests. */
export async function cors(e: RequestEvent): Promise<void> {
  const origin = e.header("origin");
  const isAllowed = origin !== undefined && ALLOWED_ORIGINS.has(origin);
  if (isAllowed) {
    e.setHeader("Access-Control-Allow-Origin", origin);
    e.setHeader("Access-Control-Allow-Credentials", "true");
    e.setHeader("Access-Control-Expose-Headers", "X-Total-Count");
    e.setHeader("Vary", "Origin");
  }
  if (e.method === "OPTIONS") {
    e.setHeader("Access-Control-Allow-Methods", "GET, POST");
    e.setHeader("Access-Control-Allow-Headers", e.header("access-control-request-headers") ?? "content-type");
    e.setHeader("Access-Control-Max-Age", 600);
    e.noContent();
    return;
  }
  if (e.method !== "GET" && origin !== undefined && !isAllowed) {
    throw e.error(403, "Pages of this origin may not change anything here.");
  }
  await e.next();
}
