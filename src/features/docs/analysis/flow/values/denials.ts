import { literalsOf } from "./alternatives.ts";
import type { EffectMark, Effects } from "./effects.ts";

/** Whether a status may be 401 or 403. True for an unknown status. */
export const isDenial = (statuses: readonly unknown[] | undefined): boolean =>
  statuses === undefined || statuses.includes(401) || statuses.includes(403);

/**
 * Whether a rejection may deny access. Effects before `since` are ignored. A rejection with an unknown status counts,
 * because it may be 401.
 */
export function deniesAccess({ responses, throws }: Effects, since: EffectMark): boolean {
  const statuses = [
    ...responses.slice(since.responses).map(({ status }) => status),
    ...throws.slice(since.throws).map(({ error }) => error.status),
  ];
  return statuses.length === 0 || statuses.some((status) => isDenial(literalsOf(status)));
}

/** Whether the responses of a function certainly include 401 or 403. */
export function mentionsDenial({ responses, throws }: Pick<Effects, "responses" | "throws">): boolean {
  const statuses = [...responses.map(({ status }) => status), ...throws.map(({ error }) => error.status)];
  return statuses.some((status) => literalsOf(status)?.some((each) => each === 401 || each === 403));
}

/** Whether everything since then rejects the request. */
export function refuses({ responses }: Effects, since: EffectMark): boolean {
  const made = responses.slice(since.responses);
  return (
    made.length > 0 && made.every(({ status }) => literalsOf(status)?.every((each) => Number(each) >= 400))
  );
}
