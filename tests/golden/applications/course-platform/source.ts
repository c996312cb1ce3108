// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";
import { certificatesOf, courseBySlug, enrol, type Progress, progressOf, search } from "./courses.ts";

const LEVELS = new Set(["beginner", "intermediate", "advanced"]);

function learnerOf(e: RequestEvent): string {
  if (!e.auth) throw e.error(401, "Sign in first.");
  return String(e.auth.id);
}

/** Finds courses. */
export function findCourses(e: RequestEvent) {
  const level = e.query("level");
  if (level !== undefined && !LEVELS.has(level)) throw e.error(400, "There is no such level.");
  const text = e.query("q");
  if (text !== undefined && text.length > 80) throw e.error(400, "Search for something shorter.");
  const onlyFree = e.query("free") === "true";
  const found = search(
    (course) =>
      (level === undefined || course.level === level) &&
      (text === undefined || course.title.includes(text)) &&
      (!onlyFree || course.price === 0),
  );
  return e.json(200, found);
}

/** Returns a course with all its lessons. */
export function getCourse(e: RequestEvent<"slug">) {
  return e.json(200, courseBySlug(e.pathValue("slug")));
}

/** Enrols the learner in a course. */
export function enrolInCourse(e: RequestEvent<"slug">) {
  const learner = learnerOf(e);
  const course = courseBySlug(e.pathValue("slug"));
  enrol(learner, course);
  return e.json(201, { course: course.slug, lessons: course.lessons.length, enrolledAt: new Date() });
}

/** Saves how far the learner has come in a lesson. */
export async function saveProgress(e: RequestEvent<"slug" | "lessonId">) {
  const all = progressOf(learnerOf(e), e.pathValue("slug"));
  if (!all) throw e.error(404, "You do not take this course.");
  const { completed, positionSeconds } = await e.bindBody<{ completed: boolean; positionSeconds?: number }>();
  const progress: Progress = {
    lessonId: e.pathValue("lessonId"),
    completed,
    positionSeconds: positionSeconds ?? null,
    updatedAt: new Date(),
  };
  all.push(progress);
  return e.json(200, progress);
}

/** Lists the learner's certificates. */
export const listCertificates = (e: RequestEvent) => e.json(200, certificatesOf(learnerOf(e)));

export function routes(router: VersionedRouter): void {
  router.get("/courses", findCourses);
  router.get("/courses/{slug}", getCourse);
  router.post("/courses/{slug}/enrolments", enrolInCourse);
  router.put("/courses/{slug}/lessons/{lessonId}/progress", saveProgress);
  router.get("/certificates", listCertificates);
}
