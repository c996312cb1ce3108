import { readFileSync } from "node:fs";
import type { RequestEvent, Router } from "../../http/index.ts";
import { digest } from "../secrets.ts";

const types = { css: "text/css; charset=utf-8", svg: "image/svg+xml" } as const;

interface Asset {
  readonly name: string;
  readonly type: string;
  readonly bytes: Buffer;
  readonly etag: string;
}

/** Serves the files that the pages link to, and the error pages of the server with them. */
export function mountAssets(router: Router): void {
  for (const name of ["pages.css", "logo.svg"] as const) {
    const asset = readAsset(name);
    router.get(`/_/assets/${name}`, (e) => answerAsset(e, asset));
  }
}

function readAsset(name: `${string}.${keyof typeof types}`): Asset {
  const bytes = readFileSync(new URL(`./assets/${name}`, import.meta.url));
  const type = types[name.split(".")[1] as keyof typeof types];
  return { name, type, bytes, etag: `"${digest(bytes).slice(0, 16)}"` };
}

// The address stays the same from release to release, so a browser asks each time whether its copy is still good.
function answerAsset(e: RequestEvent, { type, bytes, etag }: Asset): unknown {
  e.setHeader("Cache-Control", "no-cache");
  e.setHeader("ETag", etag);
  e.setHeader("X-Content-Type-Options", "nosniff");
  e.setHeader("Cross-Origin-Resource-Policy", "same-origin");
  if (!e.header("if-none-match")?.includes(etag)) return e.bytes(200, type, bytes);
  return e.response.writeHead(304).end();
}
