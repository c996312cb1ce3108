import type { SourceLocation } from "../../../../lib/source/source-location.ts";

/** A registered route as data that can be sent to the analysis thread. */
export interface Route {
  /** Unique across all versions. */
  readonly key: string;
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly string[];
  /** Where the route was registered. */
  readonly registered: SourceLocation | undefined;
  /** The location of the handler function, if the running program was queried. */
  readonly handler?: SourceLocation | undefined;
  readonly handlerName: string | undefined;
  /**
   * The text of the running function, which a loader may have transformed. If it is missing, functions are not
   * compared.
   */
  readonly handlerText?: string | undefined;
  /** Whether requests are checked against the types of the handler. Default false. */
  readonly isChecked?: boolean | undefined;
  /** The functions that run before the handler. */
  readonly middleware: readonly RunningFunction[];
  /** Why locations of the running program could not be found in the source. */
  readonly problem?: LocationProblem | undefined;
}

export interface LocationProblem {
  /** The reason and how to fix it. */
  readonly message: string;
  /** The file that the program loaded. */
  readonly file: string;
}

export interface RunningFunction {
  /** The start of the function. */
  readonly at: SourceLocation;
  readonly text: string;
}

/** The application's `authenticate` function. */
export interface AuthenticateFunction {
  /** The start of the function, if known. */
  readonly at: SourceLocation | undefined;
  readonly text: string;
  /** The routes whose documents need the scheme: `GET /api/v1/todos`. */
  readonly neededBy: readonly string[];
}

/** A script that the program has loaded. */
export interface LoadedScript {
  /** The text that runs. A loader may have generated it from the file. */
  readonly text: string;
  /** The source map's URL as stated in the script; "" if it has none. */
  readonly mapUrl: string;
}

/** By file path. */
export type LoadedScripts = Readonly<Record<string, LoadedScript>>;
