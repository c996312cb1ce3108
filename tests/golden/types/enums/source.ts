// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

enum Color {
  Red = "red",
  Blue = "blue",
}

enum Level {
  Low,
  Middle = 5,
  High,
}

enum Mixed {
  No = 0,
  Yes = "YES",
}

const enum Size {
  Small = "s",
  Large = "l",
}

export const Shape = { Round: "round", Square: "square" } as const;
export type Shape = (typeof Shape)[keyof typeof Shape];

interface Thing {
  color: Color;
  level: Level;
  mixed: Mixed;
  size: Size;
  shape: Shape;
  onlyRed: Color.Red;
}

declare function find(): Thing;

export function getThing(e: RequestEvent) {
  return e.json(200, find());
}

export function routes(router: VersionedRouter): void {
  router.get("/thing", getThing);
}
