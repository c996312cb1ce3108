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
  /** The text of that function as it runs, which a loader may have transformed. Without it nothing is compared. */
  readonly handlerText?: string | undefined;
  /** The functions that run before it. */
  readonly middleware: readonly RunningFunction[];
  /** Why places of the running program could not be found in the source. */
  readonly problem?: LocationProblem | undefined;
}

export interface LocationProblem {
  /** The reason, and what to do. */
  readonly message: string;
  /** The file that the program has loaded. */
  readonly file: string;
}

export interface RunningFunction {
  /** Where it begins. */
  readonly at: SourceLocation;
  readonly text: string;
}

/** The application's own function that says who sent a request. */
export interface AuthenticateFunction {
  /** Where it begins, if that is known. */
  readonly at: SourceLocation | undefined;
  readonly text: string;
  /** The routes whose documents need the scheme: `GET /api/v1/todos`. */
  readonly neededBy: readonly string[];
}

/** A script that the program has loaded. */
export interface LoadedScript {
  /** The text that runs. A loader may have made it from the file. */
  readonly text: string;
  /** Where the script says that its source map is; "" if it does not say. */
  readonly mapUrl: string;
}

/** By the path of the file. */
export type LoadedScripts = Readonly<Record<string, LoadedScript>>;
