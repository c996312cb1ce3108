/** Fastify with @fastify/static, as its documentation shows it. */
import fastifyStatic from "@fastify/static";
import Fastify from "fastify";
import { writeFiles } from "../content.ts";
import { announce } from "../subject.ts";

const app = Fastify();
app.register(fastifyStatic, { root: writeFiles(), prefix: "/files/" });

const url = await app.listen({ port: 0, host: "127.0.0.1" });
announce(Number(new URL(url).port));
