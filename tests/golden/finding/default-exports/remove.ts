// API_SOURCE
import type { RequestEvent } from "../../../../src/index.ts";

// API_DESC Removes things.
const remove = async (e: RequestEvent) => {
  if (!e.query("sure")) throw e.error(400, "Be sure.");
  return e.noContent();
};

export { remove as default };
