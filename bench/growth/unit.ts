/** What is filled. Time grows with the amount, so that each day has the same traffic. */
export interface Unit {
  readonly records: number;
  readonly logDays: number;
  readonly runs: number;
  readonly runDays: number;
  /** Days of minutes, and days of hours and days, of 200 routes with 20 requests per second. */
  readonly minuteDays: number;
  readonly hourDays: number;
  readonly visitorDays: number;
  readonly visitorsPerDay: number;
}

const one: Unit = {
  ...{ records: 60_000, logDays: 0.7, runs: 5_000, runDays: 1 },
  ...{ minuteDays: 3, hourDays: 36.5, visitorDays: 36, visitorsPerDay: 500 },
};

export function scaleUnit(factor: number): Unit {
  const entries = Object.entries(one).map(([name, value]) => [
    name,
    name === "visitorsPerDay" ? value : value * factor,
  ]);
  const scaled = Object.fromEntries(entries) as Unit;
  return { ...scaled, hourDays: Math.floor(scaled.hourDays), visitorDays: Math.floor(scaled.visitorDays) };
}
