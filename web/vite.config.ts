import { defineConfig, type UserConfig } from "vite";
import { bundledLicenses } from "./bundled-licenses.ts";

/** The entries of the clients by mode. */
const clients: Readonly<Record<string, string>> = { dashboard: "src/main.tsx", docs: "src/docs/main.tsx" };

/** Builds a client into `web/dist`. */
export default defineConfig(({ mode }) => createConfig(clients[mode]!, `dist/${mode}`));

function createConfig(input: string, outDir: string): UserConfig {
  /** The modules of the first load: those that the entry imports, and what these import. */
  const firstLoad = new Set<string>();
  return {
    root: import.meta.dirname,
    // Files refer to each other by relative URLs, because the server can have a base path.
    base: "./",
    publicDir: false,
    logLevel: "warn",
    // The dashboard is in English. uPlot uses the browser's language, and fails if that is not a valid language tag.
    plugins: [
      bundledLicenses(),
      {
        name: "find-first-load",
        buildEnd() {
          const add = (id: string) => {
            if (firstLoad.has(id)) return;
            firstLoad.add(id);
            for (const imported of this.getModuleInfo(id)?.importedIds ?? []) add(imported);
          };
          for (const id of this.getModuleIds()) if (this.getModuleInfo(id)?.isEntry) add(id);
        },
      },
      {
        name: "uplot-in-english",
        transform: {
          filter: { id: /uPlot\.esm\.js$/ },
          handler: (code) =>
            code.replace(
              "new Intl.NumberFormat(domEnv ? nav.language : 'en-US')",
              "new Intl.NumberFormat('en')",
            ),
        },
      },
    ],
    oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
    build: {
      outDir,
      emptyOutDir: true,
      target: "es2022",
      manifest: "manifest.json",
      assetsDir: "",
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      rolldownOptions: {
        input,
        // In one file, because a browser loads at most six at the same time from a server without HTTP/2.
        output: { codeSplitting: { groups: [{ name: "first", test: (id: string) => firstLoad.has(id) }] } },
      },
    },
  };
}
