import { err, ok, type Result } from "./result.ts";

export interface Book {
  isbn: string;
  title: string;
  authors: string[];
  copies: number;
}

export interface Loan {
  id: string;
  isbn: string;
  memberId: string;
  dueAt: Date;
}

export interface NoSuchBook {
  kind: "no-such-book";
  isbn: string;
}

export interface AllLent {
  kind: "all-lent";
  freeAgainAt: Date;
}

export interface TooManyLoans {
  kind: "too-many-loans";
  limit: number;
}

const books = new Map<string, Book>();
const loans = new Map<string, Loan>();
const LIMIT = 5;

export const allBooks = (): Book[] => [...books.values()];

export const findBook = (isbn: string): Result<Book, NoSuchBook> => {
  const book = books.get(isbn);
  return book ? ok(book) : err({ kind: "no-such-book", isbn });
};

export const loansOf = (book: Book): Loan[] => [...loans.values()].filter((loan) => loan.isbn === book.isbn);

export const lendTo =
  (memberId: string) =>
  (book: Book): Result<Loan, AllLent | TooManyLoans> => {
    const mine = [...loans.values()].filter((loan) => loan.memberId === memberId);
    if (mine.length >= LIMIT) return err({ kind: "too-many-loans", limit: LIMIT });
    const [first] = loansOf(book);
    if (first && loansOf(book).length >= book.copies)
      return err({ kind: "all-lent", freeAgainAt: first.dueAt });
    const loan: Loan = {
      id: `${book.isbn}-${memberId}`,
      isbn: book.isbn,
      memberId,
      dueAt: new Date(Date.now() + 2.4e9),
    };
    loans.set(loan.id, loan);
    return ok(loan);
  };

export const giveBack = (id: string): boolean => loans.delete(id);
