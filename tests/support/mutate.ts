import type { Random } from "../fuzz/random.ts";

const strange = [
  null,
  true,
  false,
  0,
  -1,
  7,
  1.5,
  1e21,
  "",
  "7",
  "text",
  "circle",
  "DE",
  "open",
  [],
  {},
  [[]],
  [null],
];

/** A copy of a JSON value in which a few random places have changed. */
export function mutate(value: unknown, random: Random): unknown {
  const changes = 1 + random.below(2);
  let result = structuredClone(value);
  for (let count = 0; count < changes; count++) result = changeOne(result, random);
  return result;
}

function changeOne(value: unknown, random: Random): unknown {
  const isContainer = typeof value === "object" && value !== null;
  const keys = isContainer ? Object.keys(value) : [];
  if (keys.length === 0 || random.chance(0.15)) return changeValue(value, random);
  const holder = value as Record<string, unknown>;
  const key = random.pick(keys);
  const copy = (Array.isArray(holder) ? [...holder] : { ...holder }) as Record<string, unknown>;
  if (random.chance(0.15)) {
    if (Array.isArray(copy)) copy.splice(Number(key), 1);
    else delete copy[key];
  } else copy[key] = changeOne(copy[key], random);
  return copy;
}

function changeValue(value: unknown, random: Random): unknown {
  if (Array.isArray(value) && random.chance(0.5)) return [...value, random.pick([...value, ...strange])];
  if (typeof value === "object" && value !== null && !Array.isArray(value) && random.chance(0.5))
    return { ...value, [random.pick(["extra", "kind", "constructor", "a/b~c"])]: random.pick(strange) };
  if (typeof value === "number" && random.chance(0.5))
    return random.pick([value + 1, -value, value + 0.5, String(value)]);
  if (typeof value === "string" && random.chance(0.5))
    return random.pick([`${value}x`, value.slice(1), value.repeat(9)]);
  return random.pick(strange);
}
