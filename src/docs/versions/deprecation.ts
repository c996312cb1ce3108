import type { MiddlewareHandler } from "../../http/index.ts";
import type { Version } from "./version.ts";

/** Earlier than what an application binds, so that the headers are there whatever answers. */
const first = -1_000_000;

/**
 * Middleware that tells the clients of a deprecated version so: `Deprecation` (RFC 9745) since when, `Sunset` (RFC 8594)
 * until when, and where to read about it.
 */
export function announceDeprecation(current: () => Version): MiddlewareHandler {
  return {
    id: "annex.deprecation",
    priority: first,
    // The document tells of a deprecated version in its own way.
    documents: {},
    func(e) {
      const { config, statusSince, label } = current();
      if (config.status === "deprecated") {
        e.setHeader("Deprecation", `@${Math.floor(statusSince.getTime() / 1_000)}`);
        if (config.sunset !== "") {
          e.setHeader("Sunset", new Date(config.sunset).toUTCString());
          e.setHeader("Link", linkTo(label, config.externalDocsURL));
        }
      }
      return e.next();
    },
  };
}

function linkTo(label: string, externalDocsURL: string): string {
  const target = externalDocsURL === "" ? `/api/docs/${label}` : new URL(externalDocsURL).href;
  return `<${target}>; rel="sunset"`;
}
