import { ResolverFactory } from "oxc-resolver";

/**
 * Resolves imports as Node and TypeScript do together: exports and workspaces, aliases of a tsconfig, and `.js` that means
 * `.ts`. `tsconfig`: the configuration with the aliases; default: the nearest one of each file.
 */
export function createSourceResolver(tsconfig?: string): ResolverFactory {
  return new ResolverFactory({
    tsconfig: tsconfig === undefined ? "auto" : { configFile: tsconfig },
    conditionNames: ["source", "node", "import", "require", "default"],
    extensions: [".ts", ".tsx", ".mts", ".cts", ".js", ".mjs", ".cjs", ".jsx"],
    extensionAlias: {
      ".js": [".ts", ".tsx", ".js", ".jsx"],
      ".mjs": [".mts", ".mjs"],
      ".cjs": [".cts", ".cjs"],
    },
    mainFields: ["module", "main"],
    builtinModules: false,
  });
}
