import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { createStaticFile, type RequestEvent, type StaticFile, sendStatic } from "../../../http/index.ts";
import { ASSET_NOT_FOUND } from "../errors.ts";

const script = "text/javascript; charset=utf-8";
const style = "text/css; charset=utf-8";

/** The page's own files and those of Swagger UI. */
const files: Readonly<Record<string, { type: string; isOurs: boolean }>> = {
  "page.js": { type: script, isOurs: true },
  "page.css": { type: style, isOurs: true },
  "swagger-ui-bundle.js": { type: script, isOurs: false },
  "swagger-ui.css": { type: style, isOurs: false },
};

const assets = new Map<string, Promise<StaticFile>>();

export async function sendAsset(e: RequestEvent<never>, name: string): Promise<unknown> {
  if (!Object.hasOwn(files, name)) throw ASSET_NOT_FOUND(name);
  let asset = assets.get(name);
  if (!asset) {
    asset = readFile(findFile(name)).then((body) => createStaticFile(body, { type: files[name]!.type }));
    assets.set(name, asset);
    asset.catch(() => assets.delete(name));
  }
  return sendStatic(e, await asset);
}

/** The build puts all files next to this one. In a checkout, Swagger UI is in its package. */
function findFile(name: string): string | URL {
  const beside = new URL(`./assets/${name}`, import.meta.url);
  if (files[name]!.isOurs || existsSync(beside)) return beside;
  return createRequire(import.meta.url).resolve(`swagger-ui-dist/${name}`);
}
