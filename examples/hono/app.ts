import { Hono } from "hono";
import { HTTPException } from "hono/http-exception";
import { validator } from "hono/validator";
import { BookNotFound, type Books } from "../library/books.ts";

/** A library as a Hono application. It does not know Annex. */
export function createHonoApp(books: Books): Hono {
  const app = new Hono();
  app.get("/", (c) => c.json({ books: "/books", stats: "/stats", dashboard: "/_/_" }));
  app.route("/books", createBooksRoutes(books));
  app.post("/orders", () => books.order());
  app.onError((error, c) => {
    if (error instanceof BookNotFound) return c.json({ message: error.message }, 404);
    if (error instanceof HTTPException) return error.getResponse();
    return c.json({ message: "Something went wrong" }, 500);
  });
  return app;
}

function createBooksRoutes(books: Books): Hono {
  const app = new Hono();
  app.get("/", (c) => c.json(books.list()));
  app.post(
    "/",
    validator("json", ({ title }) => ({ title: String(title) })),
    (c) => c.json(books.add(c.req.valid("json").title), 201),
  );
  app.get("/:book", (c) => c.json(books.find(c.req.param("book"))));
  app.route("/:book/loans", createLoansRoutes(books));
  return app;
}

function createLoansRoutes(books: Books): Hono {
  const app = new Hono();
  app.post("/", (c) => c.json(books.lend(c.req.param("book")), 201));
  return app;
}
