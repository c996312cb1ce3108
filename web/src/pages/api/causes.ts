import type { OpenPoint } from "./shapes.ts";

/** Open points that have the same reason and the same remedy. */
export interface Cause {
  readonly code: string;
  readonly message: string;
  readonly places: readonly CausePlace[];
  /** The handlers of its operations were not read because of it. */
  readonly unread: boolean;
}

export interface CausePlace {
  /** `src/todos.ts:12`, if it is known. */
  readonly place: string | undefined;
  /** The field that it is about, if it is about one. */
  readonly field: string | undefined;
  readonly routes: readonly string[];
}

/** Groups open points by cause. Handlers that were not read are first: their documents lack the most. */
export function groupByCause(points: readonly OpenPoint[]): Cause[] {
  const groups = new Map<string, Cause & { places: CausePlace[] }>();
  for (const point of points) {
    const { code, unread, routes } = point;
    const { field, message } = splitField(point.message);
    const key = `${code} ${message}`;
    const group = groups.get(key) ?? { code, message, unread, places: [] };
    groups.set(key, group);
    group.places.push({ place: placeOf(point), field, routes });
  }
  return [...groups.values()].sort((one, other) => Number(other.unread) - Number(one.unread));
}

export function placeOf({ file, line }: Pick<OpenPoint, "file" | "line">): string | undefined {
  return line === undefined ? file : `${file}:${line}`;
}

/** Messages about a field begin with its name: "`total` is a bigint, …". */
function splitField(message: string): { field: string | undefined; message: string } {
  const [, field, rest] = /^`([^`]+)` (.*)$/s.exec(message) ?? [];
  return rest === undefined ? { field, message } : { field, message: `This field ${rest}` };
}
