import { drizzle } from "drizzle-orm/sqlite-proxy";
import { integer, real, sqliteTable, text } from "drizzle-orm/sqlite-core";

export const courses = sqliteTable("courses", {
  id: integer("id").primaryKey({ autoIncrement: true }),
  title: text("title").notNull(),
  level: text("level", { enum: ["beginner", "intermediate", "advanced"] }).notNull(),
  summary: text("summary"),
  price: real("price").notNull(),
  topics: text("topics", { mode: "json" }).$type<string[]>().notNull().default([]),
  published: integer("published", { mode: "boolean" }).notNull().default(false),
  startsAt: integer("starts_at", { mode: "timestamp" }),
  createdAt: integer("created_at", { mode: "timestamp_ms" })
    .notNull()
    .$defaultFn(() => new Date()),
});

export type Course = typeof courses.$inferSelect;
export type NewCourse = typeof courses.$inferInsert;

export const db = drizzle(async () => ({ rows: [] }));
