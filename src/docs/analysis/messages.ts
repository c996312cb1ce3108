import type { HandlerOutline } from "../openapi/analysis.ts";
import type { Diagnostic } from "../openapi/facts.ts";
import type { FoundCode } from "../openapi/found-code.ts";
import type { DocumentOrder, WrittenDocument } from "../openapi/written-document.ts";
import type { AuthenticateFunction, LoadedScripts, Route } from "./handlers/route.ts";
import type { WantedValidator } from "./validators/find-validators.ts";

/** The messages between the server and the analysis thread. */

export interface ThreadOptions {
  /** The project's folder. */
  readonly root: string;
  /** Where results are stored between starts; `undefined` to disable the cache. */
  readonly cacheFile: string | undefined;
  /** Whether files are read again when they change. */
  readonly watches: boolean;
  /** The values of the environment variables. */
  readonly environment: readonly string[];
}

export type ToThread =
  | {
      readonly kind: "analyze";
      /** With locations of the running program. `scripts` is used to map them to the source. */
      readonly routes: readonly Route[];
      readonly scripts: LoadedScripts;
      readonly authenticate: AuthenticateFunction | undefined;
      /** The files that the program has loaded, except those of packages. */
      readonly loaded: readonly string[];
    }
  /** The hidden routes, with the locations of their handlers as far as they are known. */
  | { readonly kind: "located"; readonly routes: readonly Route[]; readonly scripts: LoadedScripts }
  /** In the order of the request. */
  | { readonly kind: "validators"; readonly schemas: readonly (Record<string, unknown> | undefined)[] }
  /** Requests based on the most recent findings. */
  | { readonly kind: "write"; readonly ticket: number; readonly order: DocumentOrder }
  | { readonly kind: "list"; readonly ticket: number }
  | { readonly kind: "close" };

export type FromThread =
  | { readonly kind: "hidden"; readonly keys: readonly string[] }
  | { readonly kind: "wanted"; readonly validators: readonly WantedValidator[] }
  | {
      readonly kind: "found";
      readonly level: "syntax" | "exact";
      readonly isFinal: boolean;
      readonly diagnostics: readonly Diagnostic[];
      /** By route key. */
      readonly outlines: Readonly<Record<string, HandlerOutline>>;
    }
  | { readonly kind: "answer"; readonly ticket: number; readonly answer: WrittenDocument | FoundCode }
  | { readonly kind: "refusal"; readonly ticket: number; readonly reason: string }
  | { readonly kind: "closed" };
