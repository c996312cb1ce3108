import { createApp } from "../../src/index.ts";
import { Books } from "../library/books.ts";
import { createKoaApp } from "./app.ts";

const books = new Books();
const annex = createApp();

annex.jobs.registerJob("loans", "Count loans", "Counts the books that are lent", "* * * * *", (log) => {
  log.success(`${books.listLent().length} books are lent`);
});
annex.onServe(({ router }) => {
  router.get("/stats", (e) => e.json(200, { books: books.list().length, lent: books.listLent().length }));
});

const app = createKoaApp(books, annex);
await annex.attach(app);
app.listen(Number(process.env.PORT ?? 8090));
