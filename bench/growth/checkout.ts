import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Database } from "../../src/storage/index.ts";

/** The checkout that is measured: this one, or another one with `--before`. */
export interface Checkout {
  load<Module>(path: string): Promise<Module>;
  open(file: "annex.db" | "logs.db" | "metrics.db"): Promise<Database>;
}

export interface Place {
  /** Folder of the checkout. */
  readonly folder: string;
  readonly dataDir: string;
  readonly url?: string | undefined;
}

export function createCheckout({ folder, dataDir, url }: Place): Checkout {
  const load = <Module>(path: string): Promise<Module> =>
    import(pathToFileURL(join(folder, "src", path)).href);
  return {
    load,
    async open(file) {
      const { openDatabase } = await load<typeof import("../../src/storage/index.ts")>("storage/index.ts");
      return openDatabase({ dataDir, file, durability: "normal", ...(url !== undefined && { url }) });
    },
  };
}
