// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

const DEFAULT_LIMIT = 50;

interface Course {
  id: string;
  title: string;
  credits: number;
}

interface Lesson {
  id: string;
  course: string;
  minutes: number;
}

declare const catalog: {
  courses(order: string, skip: number, take: number): Promise<Course[]>;
  lessons(course: string, skip: number, take: number): Promise<Lesson[]>;
  plan(course: string, weeks: number): Promise<Lesson[][]>;
};

async function listCourses(e: RequestEvent) {
  const page = Number(e.query("page") || "1") || 1;
  const size = Number(e.query("size") ?? 20) || 20;
  const order = e.query("order") || "title";
  return e.json(200, await catalog.courses(order, (page - 1) * size, size));
}

async function listLessons(e: RequestEvent<"id">) {
  // The second fallback is for a text that is no number.
  const offset = Number.parseInt(e.query("offset") ?? "0", 10) || 0;
  const limit = Number.parseInt(e.query("limit") || String(DEFAULT_LIMIT), 10) || DEFAULT_LIMIT;
  return e.json(200, await catalog.lessons(e.pathValue("id"), offset, limit));
}

async function getStudyPlan(e: RequestEvent<"id">) {
  // Nothing given is the short plan, nonsense is the long one.
  const weeks = Number(e.query("weeks") ?? "4") || 8;
  const plan = await catalog.plan(e.pathValue("id"), weeks);
  return e.json(200, { lessons: plan.flat() });
}

export function routes(router: VersionedRouter): void {
  router.get("/courses", listCourses);
  router.get("/courses/{id}/lessons", listLessons);
  router.get("/courses/{id}/plan", getStudyPlan);
}
