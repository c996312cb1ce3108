// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";
import { type Entity, Repository } from "./repository.ts";

interface Book extends Entity {
  title: string;
}

class Books extends Repository<Book> {
  async newest(): Promise<Book[]> {
    return (await this.page()).items;
  }
}

const books = new Books();

async function getBook(e: RequestEvent<"id">) {
  return e.json(200, await books.get(e.pathValue("id")));
}

async function listBooks(e: RequestEvent) {
  return e.json(200, await books.page());
}

async function newestBooks(e: RequestEvent) {
  return e.json(200, await books.newest());
}

async function addBook(e: RequestEvent) {
  return e.json(201, await books.insert(await e.bindBody<{ title: string }>()));
}

export function routes(router: VersionedRouter): void {
  router.get("/books/{id}", getBook);
  router.get("/books", listBooks);
  router.get("/newest", newestBooks);
  router.post("/books", addBook);
}
