export { page as pageOf } from "./read.ts";
export * as readers from "./read.ts";
export { default as sortOf } from "./read.ts";
