// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

interface Tree {
  name: string;
  children: Tree[];
}

interface Folder {
  files: File[];
  parent: Folder | null;
}

interface File {
  folder: Folder;
}

type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

declare function tree(): Tree;
declare function folder(): Folder;
declare function json(): { config: Json };

function getTree(e: RequestEvent) {
  return e.json(200, tree());
}

function getFolder(e: RequestEvent) {
  return e.json(200, folder());
}

function getConfig(e: RequestEvent) {
  return e.json(200, json());
}

export function routes(router: VersionedRouter): void {
  router.get("/tree", getTree);
  router.get("/folder", getFolder);
  router.get("/config", getConfig);
}
