import { createContext } from "preact";
import type { OpenApi } from "./openapi/document.ts";

/** The document that is shown, and where its parts are. The dashboard and the public page have different URLs. */
export interface ReadingContext {
  readonly document: OpenApi;
  readonly version: string;
  readonly links: ExplorerLinks;
  /** Whether it is shown on paper, where nothing can be expanded. */
  readonly isPrinted?: boolean;
}

export interface ExplorerLinks {
  operation(route: string): string;
  schema(name: string): string;
  /** Only superusers can see the trace of a request. */
  trace?(id: string): string;
}

export const Reading = createContext<ReadingContext>({
  document: { paths: {} },
  version: "",
  links: { operation: () => "", schema: () => "" },
});
