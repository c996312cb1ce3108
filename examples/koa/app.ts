import { json } from "node:stream/consumers";
import Router from "@koa/router";
import Koa, { HttpError } from "koa";
import type { App } from "../../src/index.ts";
import { BookNotFound, type Books } from "../library/books.ts";

/** A library as a Koa application. It knows Annex only for its errors. */
export function createKoaApp(books: Books, annex: App): Koa {
  const app = new Koa();
  const router = new Router();
  router.get("/", (ctx) => {
    ctx.body = { books: "/books", stats: "/stats", dashboard: "/_/_" };
  });
  router.use("/books", createBooksRouter(books).routes());
  router.post("/orders", () => books.order());
  app.use(createErrorHandler(annex));
  app.use(router.routes());
  app.use(router.allowedMethods());
  return app;
}

function createBooksRouter(books: Books): Router {
  const router = new Router();
  router.get("/", (ctx) => {
    ctx.body = books.list();
  });
  router.post("/", async (ctx) => {
    const body = await json(ctx.req).catch(() => ctx.throw(400, "The body is not JSON"));
    ctx.status = 201;
    ctx.body = books.add(String((body as { title?: unknown }).title));
  });
  router.get("/:book", (ctx) => {
    ctx.body = books.find(ctx.params.book);
  });
  router.use("/:book/loans", createLoansRouter(books).routes());
  return router;
}

function createLoansRouter(books: Books): Router {
  const router = new Router();
  router.post("/", (ctx) => {
    ctx.status = 201;
    ctx.body = books.lend(ctx.params.book);
  });
  return router;
}

/** Koa passes on only errors that no middleware has caught, so this one reports those that it catches. */
function createErrorHandler(annex: App): Koa.Middleware {
  return async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      ctx.status = statusOf(error);
      ctx.body = { message: ctx.status < 500 ? (error as Error).message : "Something went wrong" };
      if (ctx.status >= 500) annex.reportError(error, ctx);
    }
  };
}

function statusOf(error: unknown): number {
  if (error instanceof BookNotFound) return 404;
  return error instanceof HttpError ? error.status : 500;
}
