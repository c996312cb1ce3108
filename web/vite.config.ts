import { defineConfig, type UserConfig } from "vite";

interface Client {
  readonly base: string;
  readonly input: string;
}

/** The clients by mode. Their base is the `assetsPath` of the feature that serves them. */
const clients: Readonly<Record<string, Client>> = {
  dashboard: { base: "/_/_/assets/", input: "src/main.tsx" },
  docs: { base: "/api/docs/assets/", input: "src/docs/main.tsx" },
};

/** Builds a client into `web/dist`. */
export default defineConfig(({ mode }) => createConfig(clients[mode]!, `dist/${mode}`));

function createConfig({ base, input }: Client, outDir: string): UserConfig {
  /** The modules of the first load: those that the entry imports, and what these import. */
  const firstLoad = new Set<string>();
  return {
    root: import.meta.dirname,
    base,
    publicDir: false,
    logLevel: "warn",
    // The dashboard is in English. uPlot uses the browser's language, and fails if that is not a valid language tag.
    plugins: [
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
