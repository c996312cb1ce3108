// API_SOURCE
import {
  type App,
  type Handler,
  infoWithContext,
  type RequestEvent,
  type VersionedRouter,
} from "../../../../src/index.ts";

declare const app: App;
declare const orders: Orders;
declare function list(...values: unknown[]): string[];
declare function onFinish(callback: () => void): void;

function report(e: RequestEvent) {
  onFinish(() => note("X-Request-Id"));
  setTimeout(() => close(), 100);
  const note = (name: string) => list(e.header(name));
  const close = function () {
    if (!e.query("reason")) throw e.error(504, "Nobody gets to see this.");
  };
  infoWithContext(e, app, "A report was asked for.");
  return e.json(200, list());
}

function findOrder(e: RequestEvent) {
  return e.json(200, list(orders.find(e)));
}

/** Services that know each other. */
class Orders {
  private readonly customers: Customers;

  constructor(customers: Customers) {
    this.customers = customers;
  }

  find(e: RequestEvent) {
    return this.customers.known(e);
  }

  number(e: RequestEvent) {
    return e.query("order");
  }
}

class Customers {
  private readonly orders: Orders;

  constructor(orders: Orders) {
    this.orders = orders;
  }

  known(e: RequestEvent) {
    return [e.query("customer"), this.orders.number(e)];
  }
}

function save(e: RequestEvent) {
  if (!e.query("name")) throw e.error(409, "It has no name.");
  return e.noContent();
}

const swallow: Handler = async (e) => {
  try {
    await passOn(e);
  } catch {
    return e.json(500, { failed: true });
  }
};

const passOn = (e: RequestEvent) => e.next();

export function routes(router: VersionedRouter): void {
  router.get("/report", report);
  router.get("/orders", findOrder);
  router.put("/things", save).bindFunc(swallow);
}
