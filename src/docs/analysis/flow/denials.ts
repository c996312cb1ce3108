import type { EffectMark, Effects } from "./effects.ts";
import { literalsOf } from "./value.ts";

/** Whether a status may be 401 or 403. One that is not known may be. */
export const isDenial = (statuses: readonly unknown[] | undefined): boolean =>
  statuses === undefined || statuses.includes(401) || statuses.includes(403);

/**
 * Whether a refusal may be one of access. `since` leaves out what was there before. A refusal whose status is not known
 * counts: it may be 401.
 */
export function deniesAccess({ answers, throws }: Effects, since: EffectMark): boolean {
  const statuses = [
    ...answers.slice(since.answers).map(({ status }) => status),
    ...throws.slice(since.throws).map(({ error }) => error.status),
  ];
  return statuses.length === 0 || statuses.some((status) => isDenial(literalsOf(status)));
}

/** Whether 401 or 403 is certainly among what a function responds with. */
export function mentionsDenial({ answers, throws }: Pick<Effects, "answers" | "throws">): boolean {
  const statuses = [...answers.map(({ status }) => status), ...throws.map(({ error }) => error.status)];
  return statuses.some((status) => literalsOf(status)?.some((each) => each === 401 || each === 403));
}

/** Whether everything that was done since then refuses the request. */
export function refuses({ answers }: Effects, since: EffectMark): boolean {
  const made = answers.slice(since.answers);
  return (
    made.length > 0 && made.every(({ status }) => literalsOf(status)?.every((each) => Number(each) >= 400))
  );
}
