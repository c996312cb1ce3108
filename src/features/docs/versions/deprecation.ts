import type { MiddlewareHandler } from "../../../http/index.ts";
import type { Version } from "./version.ts";

/** Runs before the application's middleware, so that every response has the headers. */
const first = -1_000_000;

/**
 * Middleware that informs the clients of a deprecated version with headers: `Deprecation` (RFC 9745), `Sunset` (RFC
 * 8594) and a link to the documentation.
 */
export function announceDeprecation(current: () => Version): MiddlewareHandler {
  return {
    id: "annex.deprecation",
    priority: first,
    // The document marks a deprecated version in its own way.
    documents: {},
    func(e) {
      const version = current();
      const { config, label } = version;
      if (config.status === "deprecated") {
        e.setHeader("Deprecation", `@${Math.floor(deprecationOf(version) / 1_000)}`);
        if (config.sunset !== "") {
          e.setHeader("Sunset", new Date(config.sunset).toUTCString());
          e.setHeader("Link", linkTo(e.basePath + docsPath(label), config.externalDocsURL));
        }
      }
      return e.next();
    },
  };
}

function deprecationOf({ config, deprecatedAt, statusSince }: Version): number {
  return config.deprecatedSince === ""
    ? (deprecatedAt ?? statusSince).getTime()
    : Date.parse(config.deprecatedSince);
}

const docsPath = (label: string) => `/api/docs/${label}`;

function linkTo(path: string, externalDocsURL: string): string {
  const target = externalDocsURL === "" ? path : new URL(externalDocsURL).href;
  return `<${target}>; rel="sunset"`;
}
