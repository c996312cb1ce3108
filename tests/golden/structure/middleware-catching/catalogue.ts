import { ApiError } from "../../../../src/index.ts";

export interface Book {
  isbn: string;
  title: string;
  authors: string[];
  year?: number;
}

export interface Copy {
  shelf: string;
  lent: boolean;
}

export class NotInCatalogue extends ApiError {
  constructor(isbn: string) {
    super(410, `${isbn} is not in the catalogue.`);
  }
}

export class MalformedIsbn extends Error {}

const books = new Map<string, Book>();
const copies = new Map<string, Copy[]>();

export function parseIsbn(text: string): string {
  const digits = text.replaceAll("-", "");
  if (!/^\d{13}$/.test(digits)) throw new MalformedIsbn("An ISBN has 13 digits.");
  return digits;
}

export function findBook(isbn: string): Book {
  const book = books.get(isbn);
  if (!book) throw new NotInCatalogue(isbn);
  return book;
}

export function removeBook(book: Book): void {
  books.delete(book.isbn);
}

export function copiesOf(book: Book): Copy[] {
  const list = copies.get(book.isbn) ?? [];
  copies.set(book.isbn, list);
  return list;
}
