import type { RequestEvent } from "../../../../src/index.ts";

export interface Problem {
  title: string;
  detail: string;
}

export function ok<T>(e: RequestEvent, data: T) {
  return e.json(200, data);
}

export function created<T extends { id: string }>(e: RequestEvent, entity: T) {
  e.setHeader("Location", `/things/${entity.id}`);
  return e.json(201, entity);
}

export function problem(e: RequestEvent, status: 409 | 422, detail: string): unknown {
  const body: Problem = { title: "Problem", detail };
  return e.json(status, body);
}
