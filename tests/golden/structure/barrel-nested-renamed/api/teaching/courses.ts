// API_SOURCE
import type { RequestEvent } from "../../../../../../src/index.ts";
import { courses } from "../../store.ts";

const TERMS = new Set(["spring", "autumn"]);
const PER_PAGE = 25;

/** List the courses of the school, a page at a time. */
export function list(e: RequestEvent) {
  const term = e.query("term");
  if (term !== undefined && !TERMS.has(term)) throw e.error(400, "A term is spring or autumn.");
  const page = Number.parseInt(e.query("page") ?? "", 10) || 1;

  const matching = courses.filter((course) => term === undefined || course.term === term);
  return e.json(200, matching.slice((page - 1) * PER_PAGE, page * PER_PAGE));
}

export function show(e: RequestEvent<"id">) {
  const course = courses.find(({ id }) => id === e.pathValue("id"));
  if (course === undefined) throw e.error(404, "There is no such course.");
  return e.json(200, course);
}
