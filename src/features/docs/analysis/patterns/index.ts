export { isExponential } from "./backtracking.ts";
export { findPatternProblems } from "./pattern-problems.ts";
