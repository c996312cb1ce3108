// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";
import {
  type AllLent,
  allBooks,
  findBook,
  giveBack,
  lendTo,
  type Loan,
  loansOf,
  type NoSuchBook,
  type TooManyLoans,
} from "./library.ts";
import { andThen, map, pipe } from "./result.ts";

type Matches = (book: { title: string; authors: string[] }) => boolean;

const titleContains = (text: string | undefined): Matches =>
  text === undefined ? () => true : (book) => book.title.toLowerCase().includes(text.toLowerCase());

const writtenBy = (author: string | undefined): Matches =>
  author === undefined ? () => true : (book) => book.authors.includes(author);

const both =
  (first: Matches, second: Matches): Matches =>
  (book) =>
    first(book) && second(book);

const loanView = (loan: Loan) => ({ id: loan.id, isbn: loan.isbn, dueAt: loan.dueAt });

const refuse = (e: RequestEvent, problem: NoSuchBook | AllLent | TooManyLoans) => {
  switch (problem.kind) {
    case "no-such-book":
      return e.json(404, problem);
    case "all-lent":
      return e.json(409, problem);
    case "too-many-loans":
      return e.json(422, problem);
  }
};

/** Lists the books, by title and author. */
export const listBooks = (e: RequestEvent) =>
  e.json(200, allBooks().filter(both(titleContains(e.query("title")), writtenBy(e.query("author")))));

/** Returns a book. */
export const getBook = (e: RequestEvent<"isbn">) => {
  const found = findBook(e.pathValue("isbn"));
  return found.ok ? e.json(200, found.value) : e.json(404, found.error);
};

/** Returns how many copies of a book are lent. */
export const countLoans = (e: RequestEvent<"isbn">) => {
  const lent = pipe(findBook(e.pathValue("isbn")), map(loansOf));
  if (!lent.ok) return e.json(404, lent.error);
  return e.json(200, { lent: lent.value.length });
};

/** Lends a book to a member. */
export const lendBook = async (e: RequestEvent<"isbn">) => {
  const { memberId } = await e.bindBody<{ memberId: string }>();
  const lent = pipe(findBook(e.pathValue("isbn")), andThen(lendTo(memberId)), map(loanView));
  return lent.ok ? e.json(201, lent.value) : refuse(e, lent.error);
};

/** Takes a book back. Taking it back twice does no harm. */
export const returnBook = (e: RequestEvent<"loan">) => {
  giveBack(e.pathValue("loan"));
  return e.noContent();
};

export function routes(router: VersionedRouter): void {
  router.get("/books", listBooks);
  router.get("/books/{isbn}", getBook);
  router.get("/books/{isbn}/loans", countLoans);
  router.post("/books/{isbn}/loans", lendBook);
  router.delete("/loans/{loan}", returnBook);
}
