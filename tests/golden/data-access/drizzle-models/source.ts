// API_SOURCE
import { desc, eq } from "drizzle-orm";
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";
import { type Course, courses, db, type NewCourse } from "./schema.ts";

type CreateCourse = Pick<NewCourse, "title" | "level" | "price" | "summary" | "topics">;
type ChangeCourse = Partial<Pick<NewCourse, "title" | "summary" | "published">>;

async function findCourse(id: number): Promise<Course | undefined> {
  const [course] = await db.select().from(courses).where(eq(courses.id, id)).limit(1);
  return course;
}

async function listCourses(e: RequestEvent) {
  const rows = await db
    .select({ id: courses.id, title: courses.title, level: courses.level, startsAt: courses.startsAt })
    .from(courses)
    .where(eq(courses.published, true))
    .orderBy(desc(courses.createdAt));
  return e.json(200, rows);
}

async function getCourse(e: RequestEvent<"id">) {
  const course = await findCourse(Number(e.pathValue("id")));
  if (!course) throw e.error(404, "There is no such course.");
  return e.json(200, course);
}

async function createCourse(e: RequestEvent) {
  const input = await e.bindBody<CreateCourse>();
  const rows = await db
    .insert(courses)
    .values(input)
    .returning({ id: courses.id, createdAt: courses.createdAt });
  const created = rows[0]!;
  e.setHeader("Location", `/courses/${created.id}`);
  return e.json(201, created);
}

async function changeCourse(e: RequestEvent<"id">) {
  const id = Number(e.pathValue("id"));
  const changes = await e.bindBody<ChangeCourse>();
  const [course] = await db.update(courses).set(changes).where(eq(courses.id, id)).returning();
  if (course === undefined) throw e.error(404, "There is no such course.");
  const { createdAt, ...view } = course;
  return e.json(200, view);
}

async function removeCourse(e: RequestEvent<"id">) {
  await db.delete(courses).where(eq(courses.id, Number(e.pathValue("id"))));
  return e.noContent();
}

export function routes(router: VersionedRouter): void {
  router.get("/courses", listCourses);
  router.post("/courses", createCourse);
  router.get("/courses/{id}", getCourse);
  router.patch("/courses/{id}", changeCourse);
  router.delete("/courses/{id}", removeCourse);
}
