/** Imported before anything else, because other modules use what an older Node does not have. */
import { findNodeProblem } from "./node-version.ts";

const problem = findNodeProblem(process.versions.node);
if (problem !== undefined) {
  const error = new Error(problem);
  // The place in this file would not help.
  error.stack = problem;
  throw error;
}
