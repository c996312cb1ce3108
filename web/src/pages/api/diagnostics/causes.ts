import type { Diagnostic } from "../../../../../src/features/docs/wire.ts";

/** Diagnostics with the same reason and the same remedy. */
export interface Cause {
  readonly code: string;
  readonly message: string;
  readonly places: readonly CausePlace[];
  /** Because of it, the handlers of its operations were not analysed. */
  readonly unread: boolean;
}

export interface CausePlace {
  /** `src/todos.ts:12`, if known. */
  readonly place: string | undefined;
  /** The affected field, if there is one. */
  readonly field: string | undefined;
  readonly routes: readonly string[];
}

/** Groups open points by cause. Handlers that were not analysed come first: their documents are the least complete. */
export function groupByCause(points: readonly Diagnostic[]): Cause[] {
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

export function placeOf({ file, line }: Pick<Diagnostic, "file" | "line">): string | undefined {
  return line === undefined ? file : `${file}:${line}`;
}

/** Messages about a field start with its name: "`total` is a bigint, …". */
function splitField(message: string): { field: string | undefined; message: string } {
  const [, field, rest] = /^`([^`]+)` (.*)$/s.exec(message) ?? [];
  return rest === undefined ? { field, message } : { field, message: `This field ${rest}` };
}
