export type Rule =
  | { type: "segment"; segment: string }
  | { type: "percentage"; percent: number }
  | { type: "countries"; countries: string[] };

export interface FlagSettings {
  description: string;
  enabled: boolean;
  rules: Rule[];
  payload?: unknown;
  expiresOn?: string;
}

export interface FeatureFlag extends FlagSettings {
  name: string;
  updatedAt: Date;
}

export interface Visitor {
  user: string;
  country: string | undefined;
}

const flags = new Map<string, FeatureFlag>();
let revision = 0;

export const currentRevision = () => revision;
export const allFlags = () => [...flags.values()];
export const findFlag = (name: string) => flags.get(name);

export function saveFlag(name: string, settings: FlagSettings): FeatureFlag {
  const flag: FeatureFlag = { ...settings, name, updatedAt: new Date() };
  flags.set(name, flag);
  revision++;
  return flag;
}

export function removeFlag(name: string): boolean {
  revision++;
  return flags.delete(name);
}

function bucketOf(text: string): number {
  let hash = 0;
  for (const char of text) hash = (hash * 31 + (char.codePointAt(0) ?? 0)) % 10_000;
  return hash / 100;
}

export function isOn(flag: FeatureFlag, { user, country }: Visitor): boolean {
  if (!flag.enabled) return false;
  return flag.rules.every((rule) => {
    switch (rule.type) {
      case "segment":
        return user.startsWith(`${rule.segment}:`);
      case "percentage":
        return bucketOf(flag.name + user) < rule.percent;
      case "countries":
        return country !== undefined && rule.countries.includes(country);
    }
  });
}
