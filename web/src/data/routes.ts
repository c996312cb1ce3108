import type { CronActions, CronRoutes } from "../../../src/features/cron/wire.ts";
import type { DashboardActions, DashboardRoutes } from "../../../src/features/dashboard/wire.ts";
import type { DocsRoutes } from "../../../src/features/docs/wire.ts";
import type { LoggingRoutes } from "../../../src/features/logging/wire.ts";
import type { MetricsRoutes } from "../../../src/features/metrics/wire.ts";
import type { SettingsActions, SettingsRoutes } from "../../../src/features/settings/wire.ts";
import { root } from "./root.ts";

/** The server's routes and their responses, as each feature declares them. */

/** The responses of GET routes, by path. A page adds the routes that nothing else reads. */
export interface Routes
  extends CronRoutes,
    DashboardRoutes,
    DocsRoutes,
    LoggingRoutes,
    MetricsRoutes,
    SettingsRoutes {}

/** The responses of routes that change something, by method and path. */
export interface Actions extends CronActions, DashboardActions, SettingsActions {}

export type Route = keyof Routes;
export type Action = keyof Actions;

/** Values for the names in a path, and query parameters. A list is sent as a repeated parameter. */
export type Params = Readonly<Record<string, string | number | readonly string[] | undefined>>;

/** The names in braces in a path. */
type NamesIn<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | NamesIn<Rest>
  : never;

/** The values for the names in a path. */
export type Values<Path extends string> = Readonly<Record<NamesIn<Path>, string>>;

/** Arguments that start with the parameters, which are optional for a path without names. */
export type WithParams<Path extends string, More extends unknown[]> = [NamesIn<Path>] extends [never]
  ? [params?: Params, ...more: More]
  : [params: Params & Values<Path>, ...more: More];

/** Returns the URL of a route with the base path and its parameters; undefined ones are omitted. */
export function urlOf(route: string, params: Params = {}): string {
  const inPath = new Set<string>();
  const path = route.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    inPath.add(name);
    return encodeURIComponent(String(params[name]));
  });
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) {
    if (value === undefined || inPath.has(name)) continue;
    for (const each of [value].flat()) query.append(name, String(each));
  }
  const text = query.toString();
  const url = root + path;
  return text === "" ? url : `${url}${path.includes("?") ? "&" : "?"}${text}`;
}
