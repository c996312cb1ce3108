import type { ComparedKind } from "./application.ts";

/** The frameworks, by name. Each is loaded in a process of its own. */
export const kinds: Record<string, () => Promise<ComparedKind>> = {
  "Express 5": async () => (await import("./express.ts")).express5Kind,
  "Express 4": async () => (await import("./express.ts")).express4Kind,
  "the server of Express 5": async () => (await import("./express.ts")).expressServerKind,
  "Fastify 5": async () => (await import("./fastify.ts")).fastify5Kind,
  "Fastify 4": async () => (await import("./fastify.ts")).fastify4Kind,
  "Koa 3": async () => (await import("./koa.ts")).koa3Kind,
  "Koa 2": async () => (await import("./koa.ts")).koa2Kind,
  "NestJS on Express": async () => (await import("./nest.ts")).nestExpressKind,
  "NestJS on Fastify": async () => (await import("./nest.ts")).nestFastifyKind,
  Hono: async () => (await import("./hono.ts")).honoKind,
  "node:http": async () => (await import("./node.ts")).nodeKind,
};
