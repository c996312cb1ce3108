// API_SOURCE
import type { VersionedRouter } from "../../../../src/index.ts";
import { enrolStudent, listCourses, listLessons, listStudents, showCourse } from "./api/index.ts";

export function routes(router: VersionedRouter): void {
  router.get("/courses", listCourses);
  router.get("/courses/{id}", showCourse);
  router.get("/lessons", listLessons);
  router.get("/students", listStudents);
  router.post("/courses/{id}/students", enrolStudent);
}
