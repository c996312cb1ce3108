import {
  type App,
  type AppOptions,
  compress,
  createApp,
  securityHeaders,
  staticFiles,
} from "../../src/index.ts";
import { shipOrders } from "./orders.ts";
import { mountSupport } from "./support.ts";
import { migrations } from "./tables.ts";
import { identifyUser } from "./users.ts";
import { createVersions } from "./versions.ts";

/** A small shop: users with a session cookie, checked requests, uploads, live updates, a chat and static pages. */
export function createShopApp(options: AppOptions = {}): App {
  const app = createApp({ ...options, migrations, versions: createVersions() });
  app.authenticate(identifyUser);
  app.onServe(({ router }) => {
    router.use(securityHeaders(), compress());
    mountSupport(router);
    router.get("/{path...}", staticFiles(new URL("site", import.meta.url)));
  });
  app.jobs.registerJob(
    "ship",
    "Ship orders",
    "Ships all placed orders every minute",
    "* * * * *",
    async (log) => {
      log.success(`${await shipOrders(app)} orders shipped`);
    },
  );
  return app;
}
