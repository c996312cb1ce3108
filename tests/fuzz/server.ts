/**
 * The program under test: the example application with short timeouts. It writes one line of JSON with its port and
 * every route, and stops on SIGTERM.
 */
import { createTodosApp } from "../../examples/todos/app.ts";
import { announce } from "./announce.ts";
import { addStreamRoutes, limits } from "./stream-routes.ts";

// Each request names an address of its own.
const app = createTodosApp({ port: 0, trustedProxies: ["127.0.0.1"], limits });
addStreamRoutes(app);
const { port } = await app.start();
// One of its routes fails on purpose.
await announce(app, port, { except: ["/demo/fail"] });
