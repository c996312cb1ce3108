import type { HostRoute } from "./adapter.ts";
import { convertPath } from "./patterns.ts";

const line = /^((?:│ {3}| {4})*)(?:├── |└── )(.*)$/;
const node = /^(.*?)(?: \(([A-Z, -]+)\))?(?: \{.*\})?$/;

/**
 * Reads the output of `printRoutes`, a tree in which each line continues the path of the one above. Fastify has no other
 * list of the routes that were added before.
 */
export function parseRoutes(tree: string): HostRoute[] {
  const parts: string[] = [];
  return tree.split("\n").flatMap((text) => {
    const [, indent = "", label = ""] = line.exec(text) ?? [];
    const [, part = "", methods] = node.exec(label) ?? [];
    if (label === "") return [];
    const depth = indent.length / 4;
    parts.splice(depth, parts.length, part);
    const pattern = convertPath(parts.join(""));
    return methods?.split(", ").map((method) => ({ method, pattern })) ?? [];
  });
}
