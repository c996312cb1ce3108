import type { RouteTable } from "../../src/http/index.ts";
import type { App } from "../../src/index.ts";
import type { Target } from "./requests.ts";
import { webSockets } from "./stream-routes.ts";

/** What a program under test reports to the fuzzer. */
export interface Started {
  readonly port: number;
  readonly routes: readonly Target[];
  /** Routes that get half of the requests. */
  readonly focus: readonly Target[];
  /** Paths of WebSockets. */
  readonly webSockets: readonly string[];
  readonly email: string;
  readonly password: string;
}

interface Announcement {
  /** Paths that are not requested. */
  readonly except?: readonly string[];
  /** Routes of a host that Annex is attached to. */
  readonly hostRoutes?: readonly Target[];
}

const email = "fuzz@example.com";
const password = "a password that is never sent";

const isForFuzz = ({ pattern }: Target) => pattern.startsWith("/fuzz/");

/** Creates the superuser and writes the line that the fuzzer waits for. */
export async function announce(
  app: App,
  port: number,
  { except = [], hostRoutes = [] }: Announcement,
): Promise<void> {
  await app.superusers.create(email, password);
  const base = Reflect.get(app, "base") as { listener: { routes: RouteTable } };
  const own = base.listener.routes.routes.map(({ method, pattern }) => ({ method, pattern: pattern.text }));
  const hidden = new Set(["/fuzz/state", ...except]);
  const routes = [...own, ...hostRoutes].filter(({ pattern }) => !hidden.has(pattern));
  const focus = hostRoutes.length > 0 ? [...hostRoutes, ...routes.filter(isForFuzz)] : [];
  const started: Started = { port, routes, focus, webSockets, email, password };
  process.stdout.write(`${JSON.stringify(started)}\n`);
}
