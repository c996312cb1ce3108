// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

interface Codes {
  order: `order-${number}`;
  path: `/${string}`;
  size: `${"s" | "l"}-${"thin" | "wide"}`;
}

type Release = `v${number}`;

interface Keys {
  block: `block:${bigint}`;
  build: `${Release}+${string}`;
  asset: `/assets/${Release}/(app|admin).${"js" | "css"}`;
  flag: `beta=${boolean}`;
  owner: `owner-${string | null}`;
  since?: `since-${number | undefined}`;
  code: `X-${Uppercase<string>}`;
  tag: `#${Lowercase<"NEW" | "OLD">}` | null;
  cents: `${number & { readonly __brand: "Cents" }} ct`;
}

declare function find(): Codes;
declare function keys(): Keys;

function getCodes(e: RequestEvent) {
  return e.json(200, find());
}

function getKeys(e: RequestEvent) {
  return e.json(200, keys());
}

function answerKey<K extends string>(e: RequestEvent, key: K) {
  return e.json(200, { key: `todo:${key}` as const });
}

function getFixedKey(e: RequestEvent) {
  return answerKey(e, "open");
}

function getKeyOfPath(e: RequestEvent<"id">) {
  return answerKey(e, e.pathValue("id"));
}

export function routes(router: VersionedRouter): void {
  router.get("/codes", getCodes);
  router.get("/keys", getKeys);
  router.get("/keys/open", getFixedKey);
  router.get("/keys/{id}", getKeyOfPath);
}
