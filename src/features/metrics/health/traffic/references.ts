/** Past traffic of a route, or of all routes. */
export interface Reference {
  readonly count: number;
  /** Share of 5xx responses. */
  readonly failedShare: number;
  readonly p95Ms: number;
}

/** What the present is compared with. */
export interface References {
  /** The hour before. */
  readonly hour?: Reference | undefined;
  /** The same hour of the day before. */
  readonly yesterday?: Reference | undefined;
}

export type ReferenceName = keyof References;

/** A limit that follows from the past. */
export interface UsualLimit {
  readonly limit: number;
  readonly comparedWith: ReferenceName;
  /** The value of that time. */
  readonly usual: number;
}

/** A percentile of fewer requests varies too much. */
const leastRequests = 100;
/** Compared with the hour before, something may be unusual that happens every day at this time. */
const similar = 1.5;

/**
 * The value above which the present is unusual: above the limit of yesterday, or above the limit of the hour before,
 * unless yesterday was similar. `undefined` without a past.
 */
export function usualLimit(
  { hour, yesterday }: References,
  read: (reference: Reference) => number,
  limitOf: (value: number) => number,
): UsualLimit | undefined {
  const [past, dayBefore] = [hour, yesterday].map((each) =>
    each && each.count >= leastRequests ? read(each) : undefined,
  );
  const ofHour: UsualLimit | undefined =
    past === undefined
      ? undefined
      : {
          limit: Math.max(limitOf(past), similar * (dayBefore ?? 0)),
          comparedWith: "hour",
          usual: past,
        };
  const ofYesterday: UsualLimit | undefined =
    dayBefore === undefined
      ? undefined
      : { limit: limitOf(dayBefore), comparedWith: "yesterday", usual: dayBefore };
  if (!ofHour || !ofYesterday) return ofHour ?? ofYesterday;
  return ofHour.limit <= ofYesterday.limit ? ofHour : ofYesterday;
}
