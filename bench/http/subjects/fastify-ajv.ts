/** Fastify with a schema for the body, which it compiles with ajv. It does not convert values, as Annex does not. */
import Fastify from "fastify";
import type { Order } from "../order.ts";
import { announce } from "../subject.ts";

const text = { type: "string" };
const body = {
  type: "object",
  required: ["customer", "items", "note", "isExpress"],
  properties: {
    customer: {
      type: "object",
      required: ["name", "email", "country"],
      properties: { name: text, email: text, country: { type: "string", enum: ["DE", "FR", "IT"] } },
    },
    items: {
      type: "array",
      items: {
        type: "object",
        required: ["sku", "count"],
        properties: { sku: text, count: { type: "number" }, gift: { type: "boolean" } },
      },
    },
    note: { type: ["string", "null"] },
    isExpress: { type: "boolean" },
  },
};

const options = { coerceTypes: false, removeAdditional: false, useDefaults: false, allErrors: true } as const;
const app = Fastify({ ajv: { customOptions: options } });
app.post<{ Body: Order }>("/orders", { schema: { body } }, ({ body: order }, reply) => {
  reply.send({ items: order.items.length });
});

const url = await app.listen({ port: 0, host: "127.0.0.1" });
announce(Number(new URL(url).port));
