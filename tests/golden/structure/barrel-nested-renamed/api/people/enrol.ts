// API_SOURCE
import type { RequestEvent } from "../../../../../../src/index.ts";
import { courses, type Enrolment, enrolments } from "../../store.ts";

interface EnrolmentRequest {
  studentId: string;
  note?: string;
}

/** Enrol a student in a course. */
export default async function enrol(e: RequestEvent<"id">) {
  const courseId = e.pathValue("id");
  if (!courses.some((course) => course.id === courseId)) throw e.error(404, "There is no such course.");

  const { studentId } = await e.bindBody<EnrolmentRequest>();
  if (enrolments.some((other) => other.courseId === courseId && other.studentId === studentId)) {
    throw e.error(409, "The student takes this course already.");
  }
  const enrolment: Enrolment = { courseId, studentId, enrolledAt: new Date() };
  enrolments.push(enrolment);
  return e.json(201, enrolment);
}
