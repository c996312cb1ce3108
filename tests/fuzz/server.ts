/**
 * The program under test: the example application with short timeouts. It writes one line of JSON with its port and
 * every route, and stops on SIGTERM.
 */
import { createTodosApp } from "../../examples/todos/app.ts";
import type { RouteTable } from "../../src/http/index.ts";

const app = createTodosApp({
  port: 0,
  // Each request names an address of its own.
  trustedProxies: ["127.0.0.1"],
  limits: { headersTimeoutMs: 5_000, requestTimeoutMs: 5_000, stalledTimeoutMs: 5_000 },
});
const email = "fuzz@example.com";
const password = "a password that is never sent";
await app.superusers.create(email, password);
const { port } = await app.start();
const base = Reflect.get(app, "base") as { listener: { routes: RouteTable } };
const routes = base.listener.routes.routes
  .map(({ method, pattern }) => ({ method, pattern: pattern.text }))
  // This one fails on purpose.
  .filter(({ pattern }) => pattern !== "/demo/fail");
process.stdout.write(`${JSON.stringify({ port, routes, email, password })}\n`);
