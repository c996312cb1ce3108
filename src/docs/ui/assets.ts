import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { answerCached, type CachedFile, type RequestEvent } from "../../http/index.ts";
import { ASSET_NOT_FOUND } from "../errors.ts";

const script = "text/javascript; charset=utf-8";
const style = "text/css; charset=utf-8";

/** Our own files, and those of Swagger UI. */
const files: Readonly<Record<string, { type: string; isOurs: boolean }>> = {
  "page.js": { type: script, isOurs: true },
  "page.css": { type: style, isOurs: true },
  "swagger-ui-bundle.js": { type: script, isOurs: false },
  "swagger-ui.css": { type: style, isOurs: false },
};

interface Asset {
  readonly plain: CachedFile;
  /** A quarter of the size, and made once. */
  readonly gzipped: CachedFile;
}

const assets = new Map<string, Promise<Asset>>();

export async function answerAsset(e: RequestEvent<never>, name: string): Promise<unknown> {
  if (!Object.hasOwn(files, name)) throw ASSET_NOT_FOUND(name);
  let asset = assets.get(name);
  if (!asset) {
    asset = readAsset(name);
    assets.set(name, asset);
    asset.catch(() => assets.delete(name));
  }
  const { plain, gzipped } = await asset;
  const isGzip = /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/.test(e.header("accept-encoding") ?? "");
  e.setHeader("Vary", "Accept-Encoding");
  e.setHeader("Cross-Origin-Resource-Policy", "same-origin");
  if (isGzip) e.setHeader("Content-Encoding", "gzip");
  return answerCached(e, isGzip ? gzipped : plain);
}

async function readAsset(name: string): Promise<Asset> {
  const body = await readFile(findFile(name));
  const { type } = files[name]!;
  const digest = createHash("sha256").update(body).digest("base64url").slice(0, 16);
  const compressed = await promisify(gzip)(body, { level: 9 });
  return {
    plain: { type, body, etag: `"${digest}"` },
    gzipped: { type, body: compressed, etag: `"${digest}-gzip"` },
  };
}

/** Beside this file, where the build puts everything; in a checkout, Swagger UI is in its package. */
function findFile(name: string): string | URL {
  const beside = new URL(`./assets/${name}`, import.meta.url);
  if (files[name]!.isOurs || existsSync(beside)) return beside;
  return createRequire(import.meta.url).resolve(`swagger-ui-dist/${name}`);
}
