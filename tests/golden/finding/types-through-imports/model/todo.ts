export interface Todo {
  id: string;
}
