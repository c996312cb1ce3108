/** The range and the ticks of a logarithmic axis for durations in milliseconds. */

/** Shorter durations are not measured, and they are not shown with more than whole microseconds. */
const shortest = 0.001;

/** From a power of ten to a little above the largest value. Zero has no place on the axis, so it is at the bottom. */
export function logRange(least: number | null, most: number | null): [number, number] {
  const low = 10 ** Math.floor(Math.log10(Math.max(least ?? 1, shortest)));
  return [low, Math.max(low * 2, (most ?? 0) * 1.15)];
}

/** Powers of ten, with 2 and 5 between them if there is room, or fewer of them if there is not. */
export function logTicks(low: number, high: number, room: number): number[] {
  const first = Math.round(Math.log10(low));
  const decades = Array.from(
    { length: Math.floor(Math.log10(high)) - first + 1 },
    (_, index) => first + index,
  );
  const between = decades.flatMap((power) => [1, 2, 5].map((factor) => factor * 10 ** power));
  const fine = between.filter((tick) => tick <= high);
  if (fine.length <= room) return fine;
  const step = Math.ceil(decades.length / Math.max(1, room));
  return decades.filter((_, index) => index % step === 0).map((power) => 10 ** power);
}
