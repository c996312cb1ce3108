/**
 * Must be imported first, because other modules use features that older Node versions lack. All modules are linked
 * before this one runs, so none of them may import a name that an older Node does not export: it fails to link, without
 * this message. Use the default export instead, as in `crypto.hash`.
 */
import { findNodeProblem, readVersions } from "./node-version.ts";

const problem = findNodeProblem(readVersions());
if (problem !== undefined) {
  const error = new Error(problem);
  // The stack would not be helpful.
  error.stack = problem;
  throw error;
}
