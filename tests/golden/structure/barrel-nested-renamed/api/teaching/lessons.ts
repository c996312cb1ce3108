// API_SOURCE
import type { RequestEvent } from "../../../../../../src/index.ts";
import { lessons } from "../../store.ts";

/** List the lessons of one course. */
export const list = (e: RequestEvent) => {
  const course = e.query("course");
  if (!course) throw e.error(400, "Name the course.");
  return e.json(
    200,
    lessons.filter((lesson) => lesson.courseId === course),
  );
};
