export type { Todo, Todo as Task } from "./model.ts";
