/** Must be imported first, because other modules use features that older Node versions lack. */
import { findNodeProblem } from "./node-version.ts";

const problem = findNodeProblem(process.versions.node);
if (problem !== undefined) {
  const error = new Error(problem);
  // The stack would not be helpful.
  error.stack = problem;
  throw error;
}
