import type { AnalysisData } from "./analyze.ts";
import type { AuthenticateFunction, LoadedScripts, Route } from "./handlers/route.ts";
import type { WantedValidator } from "./validators/find-validators.ts";

/** What the analysis thread and the server say to each other. */

export interface ThreadOptions {
  /** The project's folder. */
  readonly root: string;
  /** Where results are kept from start to start; none: they are not. */
  readonly cacheFile: string | undefined;
  /** Whether files that change later are read again. */
  readonly watches: boolean;
  /** The values of the environment variables. */
  readonly environment: readonly string[];
}

export type ToThread =
  | {
      readonly kind: "analyze";
      /** With places of the program as it runs, which the scripts lead back to the source. */
      readonly routes: readonly Route[];
      readonly scripts: LoadedScripts;
      readonly authenticate: AuthenticateFunction | undefined;
      /** The files that the program has loaded, without those of packages. */
      readonly loaded: readonly string[];
    }
  /** The routes that were hidden, with the places of their handlers as far as they are known. */
  | { readonly kind: "located"; readonly routes: readonly Route[]; readonly scripts: LoadedScripts }
  /** In the order in which they were asked for. */
  | { readonly kind: "validators"; readonly schemas: readonly (Record<string, unknown> | undefined)[] }
  | { readonly kind: "close" };

export type FromThread =
  | { readonly kind: "hidden"; readonly keys: readonly string[] }
  | { readonly kind: "wanted"; readonly validators: readonly WantedValidator[] }
  | {
      readonly kind: "found";
      readonly level: "syntax" | "exact";
      readonly isFinal: boolean;
      readonly data: AnalysisData;
    }
  | { readonly kind: "closed" };
