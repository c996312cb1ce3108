import { Body, Controller, Get, Param, Post } from "@nestjs/common";
import type { Book } from "../library/books.ts";
import { BooksService } from "./books.service.ts";

@Controller()
export class LibraryController {
  constructor(private readonly books: BooksService) {}

  @Get()
  links() {
    return { books: "/books", stats: "/stats", dashboard: "/_/_" };
  }

  @Post("orders")
  order() {
    this.books.order();
  }
}

@Controller("books")
export class BooksController {
  constructor(private readonly books: BooksService) {}

  @Get()
  list(): readonly Book[] {
    return this.books.list();
  }

  @Post()
  add(@Body("title") title: string): Book {
    return this.books.add(title);
  }

  @Get(":book")
  find(@Param("book") book: string): Book {
    return this.books.find(book);
  }
}

@Controller("books/:book/loans")
export class LoansController {
  constructor(private readonly books: BooksService) {}

  @Post()
  lend(@Param("book") book: string): Book {
    return this.books.lend(book);
  }
}
