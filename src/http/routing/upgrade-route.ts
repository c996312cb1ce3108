import { findUnknown } from "../../lib/options/only-known.ts";
import type { SourceLocation } from "../../lib/source/source-location.ts";
import type { RoutePattern } from "../route/pattern.ts";
import type { Route } from "../route/route.ts";
import { RouteError } from "../route/route-error.ts";
import { acceptUpgrade, type UpgradeHandler, type UpgradeOptions } from "../upgrade/accept.ts";
import { RegisteredRoute, type RouteScope } from "./registered-route.ts";

/** A route for WebSockets. Its last function completes the handshake and runs the handler. */
export class UpgradeRoute extends RegisteredRoute {
  override readonly isUpgrade = true;
  /** Documents do not contain WebSockets, so there are no types to check. */
  override check: Route["check"] = {};

  constructor(
    pattern: RoutePattern,
    handler: UpgradeHandler,
    options: UpgradeOptions,
    scope: RouteScope,
    source?: SourceLocation,
  ) {
    checkOptions(pattern, options);
    super("GET", pattern, (e) => acceptUpgrade(e, handler, options), scope, source);
  }
}

function checkOptions({ text }: RoutePattern, options: UpgradeOptions): void {
  const known = { origins: true, maxMessageBytes: true };
  const problem = findUnknown<UpgradeOptions>(`The WebSocket ${text}`, options, known);
  if (problem !== undefined) throw new RouteError(problem);
  const { origins, maxMessageBytes } = options;
  const isOrigin = (entry: unknown) => typeof entry === "string" && URL.parse(entry)?.origin === entry;
  if (origins !== undefined && origins !== "*" && !(Array.isArray(origins) && origins.every(isOrigin)))
    throw new RouteError(
      `Invalid origins of the WebSocket ${text}: use "*" or a list of origins such as "https://example.com".`,
    );
  if (maxMessageBytes !== undefined && !(Number.isSafeInteger(maxMessageBytes) && maxMessageBytes > 0))
    throw new RouteError(`Invalid maxMessageBytes of the WebSocket ${text}: use a whole number above 0.`);
}
