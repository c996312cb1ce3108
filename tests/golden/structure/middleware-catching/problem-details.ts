import type { RequestEvent } from "../../../../src/index.ts";
import { MalformedIsbn, NotInCatalogue } from "./catalogue.ts";

interface Problem {
  title: string;
  detail: string;
  instance: string;
}

function problem(e: RequestEvent, title: string, error: Error): Problem {
  return { title, detail: error.message, instance: e.path };
}

/** Answers the errors of the catalogue in the way of RFC 9457; all others go on. */
export async function problemDetails(e: RequestEvent) {
  try {
    await e.next();
  } catch (error) {
    if (error instanceof NotInCatalogue) return e.json(404, problem(e, "Not in the catalogue", error));
    if (error instanceof MalformedIsbn) return e.json(422, problem(e, "Malformed ISBN", error));
    throw error;
  }
}
