import { readFileSync } from "node:fs";
import { type CachedFile, type RequestEvent, type Router, sendCached } from "../../http/index.ts";
import { digest } from "../secrets.ts";

const types = { css: "text/css; charset=utf-8", svg: "image/svg+xml" } as const;

/** Serves the assets of the built-in pages and of the error pages. */
export function mountAssets(router: Router): void {
  for (const name of ["pages.css", "logo.svg"] as const) {
    const asset = readAsset(name);
    router.get(`/_/assets/${name}`, (e) => sendAsset(e, asset));
  }
}

function readAsset(name: `${string}.${keyof typeof types}`): CachedFile {
  const body = readFileSync(new URL(`./assets/${name}`, import.meta.url));
  const type = types[name.split(".")[1] as keyof typeof types];
  return { type, body, etag: `"${digest(body).slice(0, 16)}"` };
}

function sendAsset(e: RequestEvent, asset: CachedFile): unknown {
  e.setHeader("Cross-Origin-Resource-Policy", "same-origin");
  return sendCached(e, asset);
}
