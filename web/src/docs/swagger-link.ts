import { setParams } from "../state/address.ts";

/** Opens links to Swagger UI, which the page was before: `#/todos/createTodo` is the operation `createTodo`. */
export function openSwaggerLink(): void {
  // URLSearchParams decodes what it can, and does not throw.
  const op = /^#\/[^/]+\/([^/&]+)$/.exec(window.location.hash)?.[1];
  if (op !== undefined)
    setParams({ op: new URLSearchParams(`op=${op}`).get("op") ?? undefined }, { replace: true });
}
