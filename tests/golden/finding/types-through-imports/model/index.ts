export type { default as Person } from "./person.ts";
export type * from "./team.ts";
export * from "./todo.ts";
export type * as Model from "./todo.ts";
