import { Module } from "@nestjs/common";
import { APP_FILTER } from "@nestjs/core";
import { BooksController, LibraryController, LoansController } from "./books.controller.ts";
import { BooksService } from "./books.service.ts";
import { ErrorFilter } from "./error.filter.ts";

@Module({
  controllers: [LibraryController, BooksController, LoansController],
  providers: [BooksService, { provide: APP_FILTER, useClass: ErrorFilter }],
})
export class AppModule {}
