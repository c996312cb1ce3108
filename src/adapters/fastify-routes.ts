import FindMyWay from "find-my-way";

/** A route in the notation of Fastify: `/users/:id`. */
export interface FastifyRoute {
  readonly method: string;
  readonly url: string;
}

/** The options of Fastify that affect which route a request has. */
export interface FastifyRouting {
  readonly caseSensitive?: boolean;
  readonly ignoreTrailingSlash?: boolean;
  readonly ignoreDuplicateSlashes?: boolean;
  readonly useSemicolonDelimiter?: boolean;
}

/**
 * The routes of a Fastify application, in a router of the same kind. Fastify passes the route of a request only to
 * handlers and hooks, and a hook costs every request more than a search does.
 */
export class FastifyRoutes {
  private readonly router: FindMyWay.Instance<FindMyWay.HTTPVersion.V1>;

  constructor(routing: FastifyRouting = {}) {
    const { caseSensitive = true, ignoreTrailingSlash = false, ignoreDuplicateSlashes = false } = routing;
    const options = {
      caseSensitive,
      ignoreTrailingSlash,
      ignoreDuplicateSlashes,
      // Missing in the types of the router.
      useSemicolonDelimiter: routing.useSemicolonDelimiter ?? false,
      // Fastify has checked the expressions already, and refuses values that are too long.
      allowUnsafeRegex: true,
      maxParamLength: Number.MAX_SAFE_INTEGER,
      // Nothing needs the query.
      querystringParser: () => undefined,
    };
    this.router = FindMyWay(options);
  }

  add({ method, url }: FastifyRoute): void {
    try {
      this.router.on(method as FindMyWay.HTTPMethod, url, () => {}, url);
    } catch {
      // Another route for the same requests, apart from their version or host. Its path differs at most in names.
    }
  }

  /** The path of the route for a request. `target`: with or without the query. */
  find(method: string, target: string): string | undefined {
    const found = this.router.find(method as FindMyWay.HTTPMethod, target);
    return found?.store as string | undefined;
  }
}

/** How the tree is called if its routes begin differently. */
const emptyRoot = "(empty root node)";

const line = /^((?:│ {3}| {4})*)(?:├── |└── )(.*)$/;
const node = /^(.*?)(?: \(([A-Z, -]+)\))?(?: \{.*\})?$/;

/**
 * Reads the output of `printRoutes`, a tree in which each line continues the path of the one above. Fastify has no other
 * list of the routes that were added before. Without common prefixes, its trees lack the paths before `*`.
 */
export function parseRoutes(tree: string): FastifyRoute[] {
  const parts: string[] = [];
  return tree.split("\n").flatMap((text) => {
    const [, indent = "", label = ""] = line.exec(text) ?? [];
    const [, part = "", methods] = node.exec(label) ?? [];
    if (label === "") return [];
    const depth = indent.length / 4;
    parts.splice(depth, parts.length, part === emptyRoot ? "" : part);
    const url = parts.join("");
    return methods?.split(", ").map((method) => ({ method, url })) ?? [];
  });
}
