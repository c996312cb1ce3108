/** Live values need no more digits, and shorter numbers are smaller on the wire. */
const digits = 5;

/** The metrics that differ from those of the second before. A metric that no longer exists is null. */
export function findChanges(
  before: Readonly<Record<string, number>>,
  now: Readonly<Record<string, number>>,
): Record<string, number | null> {
  const changes: Record<string, number | null> = {};
  for (const [name, value] of Object.entries(now))
    if (before[name] !== value) changes[name] = Number(value.toPrecision(digits));
  for (const name of Object.keys(before)) if (!(name in now)) changes[name] = null;
  return changes;
}
