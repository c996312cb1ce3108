import type { SourceLocation } from "../../../lib/source-location.ts";

/** A registered route as the analysis is told of it: data that can go to another thread. */
export interface Route {
  /** Tells it from every other route of every version. */
  readonly key: string;
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly string[];
  /** Where it was registered. */
  readonly registered: SourceLocation | undefined;
  /** Where the function begins that serves it, if the running program was asked. */
  readonly handler?: SourceLocation | undefined;
  readonly handlerName: string | undefined;
  /** Where the functions begin that run before it. */
  readonly middleware: readonly SourceLocation[];
}
