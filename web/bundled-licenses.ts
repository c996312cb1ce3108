import type { Plugin } from "vite";
import { renderLicenses } from "../scripts/bundled-licenses.ts";

/** Adds a file with the licenses of all packages whose code is in the bundle. */
export function bundledLicenses(): Plugin {
  return {
    name: "bundled-licenses",
    generateBundle(_options, bundle) {
      const ids = Object.values(bundle).flatMap((file) => (file.type === "chunk" ? file.moduleIds : []));
      this.emitFile({ type: "asset", fileName: "THIRD-PARTY-LICENSES.txt", source: renderLicenses(ids) });
    },
  };
}
