import "reflect-metadata";
import { NestFactory } from "@nestjs/core";
import { annex } from "./annex.ts";
import { AppModule } from "./app.module.ts";
import { BooksService } from "./books.service.ts";

const app = await NestFactory.create(AppModule);
const books = app.get(BooksService);

annex.jobs.registerJob("loans", "Count loans", "Counts the books that are lent", "* * * * *", (log) => {
  log.success(`${books.listLent().length} books are lent`);
});
annex.onServe(({ router }) => {
  router.get("/stats", (e) => e.json(200, { books: books.list().length, lent: books.listLent().length }));
});

await annex.attach(app);
await app.listen(process.env.PORT ?? 8090);
