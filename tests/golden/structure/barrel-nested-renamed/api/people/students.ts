// API_SOURCE
import type { RequestEvent } from "../../../../../../src/index.ts";
import { students } from "../../store.ts";

const COHORT = /^[0-9]{4}[ab]$/;

export function listStudents(e: RequestEvent) {
  const cohort = e.query("cohort");
  if (cohort !== undefined && !COHORT.test(cohort)) {
    throw e.error(400, "A cohort is a year and a letter, such as 2025a.");
  }
  return e.json(
    200,
    students.filter((student) => cohort === undefined || student.cohort === cohort),
  );
}
