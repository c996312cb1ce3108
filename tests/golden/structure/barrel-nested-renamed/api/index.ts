export * from "./people/index.ts";
export * from "./teaching/index.ts";
