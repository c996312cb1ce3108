import type { LiveOptions } from "../../../../lib/options/option-store.ts";
import type { Limit, TrafficLimits } from "./traffic-rules.ts";

/** The limits of a route, or of all requests. */
export type RouteLimits = (route: string | undefined) => TrafficLimits;

export interface LimitOptions {
  readonly errorPercent: number;
  readonly routeErrorPercent: number;
  readonly p95Ms: number;
  readonly routes: readonly string[];
}

interface RouteLimit {
  readonly route: string;
  readonly limits: Partial<TrafficLimits>;
}

const expected = "a route with its limits, such as POST /checkout errors=20% p95=2s";

/** Parses `POST /checkout errors=20% p95=2s`. */
export function parseRouteLimit(line: string): RouteLimit {
  const [method = "", path = "", ...parts] = line.split(/\s+/);
  if (!/^[A-Z]+$/.test(method) || !path.startsWith("/") || parts.length === 0) throw new Error(expected);
  const limits = Object.assign({}, ...parts.map(parseLimit)) as Partial<TrafficLimits>;
  return { route: `${method} ${path}`, limits };
}

function parseLimit(text: string): Partial<TrafficLimits> {
  const [, name, value, unit] = /^(errors|p95)=(\d+(?:\.\d+)?|off)(%|ms|s)?$/.exec(text) ?? [];
  const isOff = value === "off";
  if (name === "errors" && (isOff || unit === "%"))
    return { errorShare: fixed(isOff ? off : Number(value) / 100) };
  if (name === "p95" && (isOff || unit === "ms" || unit === "s"))
    return { p95Ms: fixed(isOff ? off : Number(value) * (unit === "s" ? 1_000 : 1)) };
  throw new Error(expected);
}

const off = Number.POSITIVE_INFINITY;
/** An explicit limit replaces the comparison with the past. */
const fixed = (value: number): Limit => ({ value, isFixed: true });

/** Follows changes of the options. */
export function createRouteLimits(options: LiveOptions<LimitOptions>): RouteLimits {
  let limits = limitsFrom(options.current);
  for (const name of ["errorPercent", "routeErrorPercent", "p95Ms", "routes"] as const)
    options.onChange(name, () => {
      limits = limitsFrom(options.current);
    });
  return (route) => limits(route);
}

export function limitsFrom({ errorPercent, routeErrorPercent, p95Ms, routes }: LimitOptions): RouteLimits {
  const byRoute = readRoutes(routes);
  return (route) => {
    const errorShare = { value: (route === undefined ? errorPercent : routeErrorPercent) / 100 };
    return { errorShare, p95Ms: { value: p95Ms }, ...(route !== undefined && byRoute.get(route)) };
  };
}

function readRoutes(lines: readonly string[]): ReadonlyMap<string, Partial<TrafficLimits>> {
  return new Map(lines.map(parseRouteLimit).map(({ route, limits }) => [route, limits]));
}
