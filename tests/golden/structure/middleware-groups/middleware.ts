import type { RequestEvent } from "../../../../src/index.ts";
import { type Store, stores, terminals } from "./stores.ts";

export async function loadStore(e: RequestEvent) {
  const store = stores.find(({ id }) => id === e.pathValue("store"));
  if (!store) throw e.error(404, "There is no such store.");
  e.set("store", store);
  await e.next();
}

export async function requireTerminal(e: RequestEvent) {
  const terminal = e.header("X-Terminal");
  if (terminal === undefined) return e.json(428, { missing: "X-Terminal" });
  if (!terminals.has(terminal)) throw e.error(409, "The terminal has not been set up.");
  e.set("terminal", terminal);
  await e.next();
}

export async function requireOpen(e: RequestEvent) {
  const store = e.get<Store>("store");
  const hour = new Date().getHours();
  if (!store || hour < store.opens || hour >= store.closes) {
    throw e.error(423, "The store is closed.");
  }
  await e.next();
}
