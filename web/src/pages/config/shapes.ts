import type { Snapshot } from "../../data/shapes.ts";

/** Responses of the configuration routes. Times are milliseconds since the epoch. */

export type Source = "default" | "environment" | "code" | "run time";

/** One option with its effective value. */
export interface Entry {
  readonly name: string;
  readonly group: string;
  readonly value: unknown;
  readonly source: Source;
  /** The environment variable that can set it. */
  readonly variable?: string;
  readonly default: unknown;
}

export type SettingKind =
  | { readonly kind: "choice"; readonly options: readonly string[] }
  | { readonly kind: "number"; readonly unit: string; readonly least: number; readonly most: number }
  | { readonly kind: "switch" }
  | { readonly kind: "paths"; readonly most: number };

export type SettingValue = string | number | boolean | readonly string[];

/** An option that can be changed at run time. */
export type Setting = SettingKind & {
  readonly name: string;
  readonly meaning: string;
  readonly value: SettingValue;
  /** The value that it reverts to. */
  readonly initial: SettingValue;
  readonly changed_at: number | null;
  readonly changed_by: string | null;
  readonly until: number | null;
};

export interface StoragePart {
  readonly name: string;
  readonly bytes: number;
}

export interface Storage {
  readonly engine: "sqlite" | "postgres";
  readonly bytes: number;
  /** Largest first. */
  readonly parts: readonly StoragePart[];
}

export interface ConfigAnswer {
  readonly entries: readonly Entry[];
  readonly settings: readonly Setting[];
  readonly sessions: { readonly count: number; readonly tokens: number };
  readonly storage: Storage;
}

/** The size of the metrics history. */
export interface FigureStore {
  readonly bytes: number;
  readonly max_bytes: number;
  /** The level is the length of a slot in seconds. */
  readonly levels: readonly { readonly level: number; readonly rows: number; readonly bytes: number }[];
  readonly dropped: number;
  readonly dropped_errors: number;
}

export const configPath = "/_/_/data/config";

export function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** The current snapshot, with the size of the metrics history. */
export type Now = Snapshot & { readonly store?: FigureStore };
