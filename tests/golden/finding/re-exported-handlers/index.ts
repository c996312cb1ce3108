export { default as addTodo, list as listTodos } from "./todos.ts";
export * as notes from "./notes.ts";
