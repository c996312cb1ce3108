import { type Router, requireAuth } from "../../src/index.ts";

/** A chat in which everyone who is signed in sees all messages. */
export function mountSupport(router: Router): void {
  const sockets = new Set<{ send(text: string): void }>();
  router
    .upgrade("/support", (e, socket) => {
      sockets.add(socket);
      socket.on("close", () => sockets.delete(socket));
      socket.on("message", (text) => {
        const message = JSON.stringify({ name: e.auth!.name, text: String(text) });
        for (const each of sockets) each.send(message);
      });
    })
    .bind(requireAuth());
}
