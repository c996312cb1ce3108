import { defineConfig } from "vite";

/** Builds the dashboard's client into `web/dist`, which `src/features/dashboard` serves. */
export default defineConfig({
  root: import.meta.dirname,
  // Same as `assetsPath` in src/features/dashboard/page.ts.
  base: "/_/_/assets/",
  publicDir: false,
  logLevel: "warn",
  // The dashboard is in English. uPlot uses the browser's language, and fails if that is not a valid language tag.
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
