// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";
import { assertFound, fail, requiredInteger } from "./assertions.ts";
import { type Course, courses, seatsLeft } from "./courses.ts";

/** Find a course by its title. */
export function findCourse(e: RequestEvent) {
  const title = e.query("title") ?? fail(400, "Give the title.");
  const course = courses.find((candidate) => candidate.title === title);
  assertFound(course, "course");
  return e.json(200, course);
}

/** Reserve seats in a course. */
export function reserveSeats(e: RequestEvent<"id">) {
  const seats = requiredInteger(e, "seats", 1, 30);
  const course = courses.find(({ id }) => id === e.pathValue("id"));
  assertFound(course, "course");
  if (course.closed) fail(410, "The course has begun.");
  if (seatsLeft(course) < seats) return fail(409, "There are not enough seats.");

  course.reserved += seats;
  return e.json(200, { course: course.id, seatsLeft: seatsLeft(course) });
}

function courseNamedBy(e: RequestEvent, name: string): Course {
  const id = e.query(name) ?? fail(400, `The parameter ${name} is missing.`);
  const course = courses.find((candidate) => candidate.id === id);
  assertFound(course, name);
  return course;
}

/** Compare two courses. */
export function compareCourses(e: RequestEvent) {
  const left = courseNamedBy(e, "left");
  const right = courseNamedBy(e, "right");
  if (left === right) fail(422, "These are the same course.");
  return e.json(200, { left, right, sameTeacher: left.teacher === right.teacher });
}

export function routes(router: VersionedRouter): void {
  router.get("/courses/search", findCourse);
  router.post("/courses/{id}/reservations", reserveSeats);
  router.get("/courses/comparison", compareCourses);
}
