import { defineConfig } from "vite";

/** Builds the dashboard's client into `web/dist`, from where `src/dashboard` serves it. */
export default defineConfig({
  root: import.meta.dirname,
  // As `assetsPath` in src/dashboard/page.ts.
  base: "/_/_/assets/",
  publicDir: false,
  logLevel: "warn",
  // The dashboard speaks English. uPlot asks the browser for its language, and fails where that is no language tag.
  plugins: [
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
    outDir: "dist",
    emptyOutDir: true,
    target: "es2022",
    manifest: "manifest.json",
    assetsDir: "",
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: { input: "src/main.tsx" },
  },
});
