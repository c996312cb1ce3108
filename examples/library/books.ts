/** The books of a small library, in memory. The examples for other frameworks share it. */
export interface Book {
  readonly id: number;
  readonly title: string;
  /** Since when a reader has the book. */
  lentAt?: Date;
}

export class BookNotFound extends Error {
  override readonly name = "BookNotFound";
}

export class Books {
  private readonly books: Book[] = [
    { id: 1, title: "A Wizard of Earthsea" },
    { id: 2, title: "The Dispossessed", lentAt: new Date() },
  ];

  list(): readonly Book[] {
    return this.books;
  }

  listLent(): Book[] {
    return this.books.filter(({ lentAt }) => lentAt !== undefined);
  }

  find(id: string | undefined): Book {
    const book = this.books.find((each) => String(each.id) === id);
    if (book === undefined) throw new BookNotFound(`There is no book ${id}`);
    return book;
  }

  add(title: string): Book {
    const book = { id: this.books.length + 1, title };
    this.books.push(book);
    return book;
  }

  lend(id: string | undefined): Book {
    const book = this.find(id);
    book.lentAt = new Date();
    return book;
  }

  /** Always fails, to show what Annex records about an error and its cause. */
  order(): never {
    const cause = new Error("connect ECONNREFUSED 192.0.2.1:443");
    throw new Error("Failed to order books from the supplier", { cause });
  }
}
