/** The baseline: Fastify with nothing on it. */
import Fastify from "fastify";
import { announce } from "../subject.ts";

const app = Fastify();
app.get("/hello", async () => ({ hello: "world" }));
app.get<{ Params: { id: string } }>("/users/:id", async ({ params }) => ({ id: params.id }));

const url = await app.listen({ port: 0, host: "127.0.0.1" });
announce(Number(new URL(url).port));
