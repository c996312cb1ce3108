/**
 * Resolutions of the history. Metrics are written directly at the first three levels. A job creates the two coarse ones
 * from the minutes, so that queries over a month or a year read little data.
 */
export const levels = [
  { seconds: 1, keptSeconds: 3_600 },
  { seconds: 10, keptSeconds: 86_400 },
  { seconds: 60, keptSeconds: 30 * 86_400 },
  { seconds: 3_600, keptSeconds: 365 * 86_400 },
  { seconds: 86_400, keptSeconds: 365 * 86_400 },
] as const;

export type LevelSeconds = (typeof levels)[number]["seconds"];

export function keptSecondsOf(level: LevelSeconds): number {
  return levels.find(({ seconds }) => seconds === level)!.keptSeconds;
}

/** The number of rows into which an earlier release divided the routes of slots from a minute on. They stay until they expire. */
const earlierParts = 8;

/** The parts that can contain a route, whichever release wrote them. */
export const partsWith = (route: number, level: LevelSeconds): number[] =>
  level >= 60 ? [...new Set([0, route % earlierParts])] : [0];

/**
 * Slots that are stored together, compressed, in blocks of `span` seconds, once the slot of the level `after` that covers
 * them exists. The others are few: they are not compressed, because they are written again and again, and read often.
 */
export const blockLevels = [
  { level: 10, span: 600, after: 3_600 },
  { level: 60, span: 3_600, after: 3_600 },
  { level: 3_600, span: 86_400, after: 86_400 },
] as const satisfies { level: LevelSeconds; span: number; after: LevelSeconds }[];

/** The length of a block with slots of a level; the length of a slot if there are none. */
export const blockSpanOf = (level: LevelSeconds): number =>
  blockLevels.find((block) => block.level === level)?.span ?? level;

export const liveLevels = [1, 10, 60] as const satisfies LevelSeconds[];

/** The finer level from which each coarse level is created. */
export const coarseLevels = [
  { level: 3_600, from: 60 },
  { level: 86_400, from: 3_600 },
] as const satisfies { level: LevelSeconds; from: LevelSeconds }[];

/** The period for which a level has data, in seconds since the epoch. */
export interface Extent {
  readonly since: number;
  readonly until: number;
}

export type Extents = Readonly<Record<LevelSeconds, Extent>>;

/** A period that is read at one level, aligned to its slots. */
export interface Segment {
  readonly level: LevelSeconds;
  readonly from: number;
  readonly to: number;
}

/**
 * The fewest slots that cover a period: days in the middle and finer ones towards the ends. If only coarse data is
 * available, the slots at the ends extend beyond the period.
 */
export function coverWindow(from: number, to: number, extents: Extents, coarsest = 86_400): Segment[] {
  const usable = levels.map(({ seconds }) => seconds).filter((seconds) => seconds <= coarsest);
  return joinSegments(cover(from, to, usable, extents));
}

function cover(from: number, to: number, usable: readonly LevelSeconds[], extents: Extents): Segment[] {
  const level = usable.at(-1);
  if (level === undefined || from >= to) return [];
  const finer = usable.slice(0, -1);
  const isFinerThere = (time: number) => finer.length > 0 && time >= extents[finer.at(-1)!].since;
  const end = Math.min(to, extents[level].until);
  const start = isFinerThere(from) ? ceil(Math.max(from, extents[level].since), level) : floor(from, level);
  const stop = end < to || isFinerThere(floor(end, level)) ? floor(end, level) : ceil(end, level);
  if (start >= stop) return cover(from, to, finer, extents);
  return [
    ...(start > from ? cover(from, start, finer, extents) : []),
    { level, from: start, to: stop },
    ...cover(stop, to, finer, extents),
  ];
}

function joinSegments(segments: readonly Segment[]): Segment[] {
  const joined: Segment[] = [];
  for (const segment of segments) {
    const last = joined.at(-1);
    if (last && last.level === segment.level && last.to >= segment.from) {
      joined[joined.length - 1] = { ...last, to: Math.max(last.to, segment.to) };
    } else joined.push(segment);
  }
  return joined;
}

const floor = (time: number, step: number) => Math.floor(time / step) * step;
const ceil = (time: number, step: number) => Math.ceil(time / step) * step;

/** Steps of charts, chosen so that points fall on round times. */
const steps = [
  1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 14_400, 21_600, 43_200, 86_400,
];

/** The finest step that yields at most `points` points and for which data is available. */
export function chooseStep(from: number, to: number, points: number, extents: Extents): number {
  const finest = finestLevel(from, extents);
  const wanted = (to - from) / points;
  const step = steps.find((each) => each >= wanted && each % finest === 0);
  return step ?? Math.ceil(wanted / 86_400) * 86_400;
}

/** The finest level with data at a given time. */
export function finestLevel(time: number, extents: Extents): LevelSeconds {
  return levels.find(({ seconds }) => time >= extents[seconds].since)?.seconds ?? 86_400;
}

/** The coarsest level whose slots fit into steps of the given length. */
export function levelForStep(step: number): LevelSeconds {
  return levels.findLast(({ seconds }) => step % seconds === 0)!.seconds;
}
