import { z } from "zod";

export const Priority = z.enum(["low", "normal", "high"]);

export const TodoQuery = z.object({
  search: z.string().min(2).max(100).optional(),
  priority: Priority.optional(),
  sort: z.enum(["created", "title"]).default("created"),
  page: z.coerce.number().int().min(1).max(1000).default(1),
  per_page: z.coerce.number().int().min(1).max(100).default(25),
});

export const NewTodo = z.object({
  title: z.string().min(1).max(200),
  notes: z.string().max(5000).optional(),
  priority: Priority.default("normal"),
  labels: z.array(z.string().min(1)).max(10).optional(),
});

export const TodoChanges = z.object({
  title: z.string().min(1).max(200).optional(),
  done: z.boolean().optional(),
  priority: Priority.optional(),
});

export const Bulk = z.discriminatedUnion("action", [
  z.object({ action: z.literal("complete"), ids: z.array(z.string()).min(1), notify: z.boolean() }),
  z.object({
    action: z.literal("postpone"),
    ids: z.array(z.string()).min(1),
    days: z.number().int().min(1).max(365),
  }),
]);

export const Todo = z.object({
  id: z.string(),
  title: z.string(),
  notes: z.string().nullable(),
  priority: Priority,
  labels: z.array(z.string()),
  done: z.boolean(),
  createdAt: z.date(),
});

export type Todo = z.infer<typeof Todo>;
