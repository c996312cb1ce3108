import { type FastifyInstance, type FastifyPluginAsync, fastify } from "fastify";
import { BookNotFound, type Books } from "../library/books.ts";

type BookParams = { Params: { book: string } };

/** A library as a Fastify application. It does not know Annex. */
export function createFastifyApp(books: Books): FastifyInstance {
  const app = fastify();
  app.get("/", async () => ({ books: "/books", stats: "/stats", dashboard: "/_/_" }));
  app.register(createBooksPlugin(books), { prefix: "/books" });
  app.post("/orders", async () => books.order());
  app.setErrorHandler(async (error, _request, reply) => {
    if (error instanceof BookNotFound) return reply.code(404).send({ message: error.message });
    const { statusCode = 500, message } = error as { statusCode?: number; message: string };
    if (statusCode < 500) return reply.code(statusCode).send({ message });
    return reply.code(500).send({ message: "Something went wrong" });
  });
  return app;
}

function createBooksPlugin(books: Books): FastifyPluginAsync {
  const title = { type: "object", required: ["title"], properties: { title: { type: "string" } } };
  return async (app) => {
    app.get("/", async () => books.list());
    app.post<{ Body: { title: string } }>("/", { schema: { body: title } }, async (request, reply) => {
      return reply.code(201).send(books.add(request.body.title));
    });
    app.get<BookParams>("/:book", async (request) => books.find(request.params.book));
    app.register(createLoansPlugin(books), { prefix: "/:book/loans" });
  };
}

function createLoansPlugin(books: Books): FastifyPluginAsync {
  return async (app) => {
    app.post<BookParams>("/", async (request, reply) => {
      return reply.code(201).send(books.lend(request.params.book));
    });
  };
}
