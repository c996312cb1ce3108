import express, { type ErrorRequestHandler, type Express, Router } from "express";
import type { App } from "../../src/index.ts";
import { BookNotFound, type Books } from "../library/books.ts";

/** A library as an Express application. It knows Annex only for its errors. */
export function createExpressApp(books: Books, annex: App): Express {
  const app = express();
  app.use(express.json());
  app.get("/", (_request, response) => {
    response.json({ books: "/books", stats: "/stats", dashboard: "/_/_" });
  });
  app.use("/books", createBooksRouter(books));
  app.post("/orders", () => books.order());
  app.use(annex.errorHandler);
  app.use(respondWithError);
  return app;
}

function createBooksRouter(books: Books): Router {
  const router = Router();
  router.get("/", (_request, response) => {
    response.json(books.list());
  });
  router.post("/", (request, response) => {
    response.status(201).json(books.add(String(request.body?.title)));
  });
  router.get("/:book", (request, response) => {
    response.json(books.find(request.params.book));
  });
  router.use("/:book/loans", createLoansRouter(books));
  return router;
}

function createLoansRouter(books: Books): Router {
  const router = Router({ mergeParams: true });
  router.post("/", (request: express.Request<{ book: string }>, response) => {
    response.status(201).json(books.lend(request.params.book));
  });
  return router;
}

const respondWithError: ErrorRequestHandler = (error, _request, response, _next) => {
  if (error instanceof BookNotFound) response.status(404).json({ message: error.message });
  // The router and the parser of bodies reject requests with such errors.
  else if (error.status < 500) response.status(error.status).json({ message: error.message });
  else response.status(500).json({ message: "Something went wrong" });
};
