import type { HandlerOutline } from "../openapi/analysis.ts";
import type { Diagnostic } from "../openapi/facts.ts";
import type { FoundCode } from "../openapi/found-code.ts";
import type { DocumentOrder, WrittenDocument } from "../openapi/written-document.ts";
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
  /** Asks for something of what was found last. */
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
      /** By the key of the route. */
      readonly outlines: Readonly<Record<string, HandlerOutline>>;
    }
  | { readonly kind: "answer"; readonly ticket: number; readonly answer: WrittenDocument | FoundCode }
  | { readonly kind: "refusal"; readonly ticket: number; readonly reason: string }
  | { readonly kind: "closed" };
