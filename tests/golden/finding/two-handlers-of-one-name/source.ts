// API_SOURCE
import type { VersionedRouter } from "../../../../src/index.ts";
import { list as listBooks } from "./books.ts";
import * as films from "./films.ts";

export function routes(router: VersionedRouter): void {
  router.get("/films", films.list);
  router.get("/books", listBooks);
}
