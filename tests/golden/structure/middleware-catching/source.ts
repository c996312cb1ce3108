// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";
import { copiesOf, findBook, parseIsbn, removeBook } from "./catalogue.ts";
import { problemDetails } from "./problem-details.ts";

interface NewCopies {
  count: number;
  shelf: string;
}

/** Return a book of the library. */
function getBook(e: RequestEvent<"isbn">) {
  return e.json(200, findBook(parseIsbn(e.pathValue("isbn"))));
}

/** Remove a book that has no copies. */
function deleteBook(e: RequestEvent<"isbn">) {
  const book = findBook(parseIsbn(e.pathValue("isbn")));
  if (copiesOf(book).length > 0) throw e.error(409, "There are copies of the book.");
  removeBook(book);
  return e.noContent();
}

/** Add copies of a book. */
async function addCopies(e: RequestEvent<"isbn">) {
  const book = findBook(parseIsbn(e.pathValue("isbn")));
  const { count, shelf } = await e.bindBody<NewCopies>();
  const copies = copiesOf(book);
  for (let added = 0; added < count; added++) copies.push({ shelf, lent: false });
  return e.json(200, copies);
}

export function routes(router: VersionedRouter): void {
  const books = router.setPrefix("/books");
  books.bindFunc(problemDetails);
  books.get("/{isbn}", getBook);
  books.delete("/{isbn}", deleteBook);
  books.post("/{isbn}/copies", addCopies);
}
