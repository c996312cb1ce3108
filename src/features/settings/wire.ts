import type { OptionEffect } from "../../lib/options/effect.ts";
import type { Removal } from "../../lib/time/removal.ts";

/** JSON of the configuration routes that the dashboard reads. Times are milliseconds since the epoch. */

export type ConfigSource = "default" | "environment" | "code" | "run time";

/** One option with its effective value. */
export interface ConfigEntry {
  readonly name: string;
  readonly group: string;
  /** What the option does, in one or two sentences. */
  readonly about: string;
  readonly value: unknown;
  readonly source: ConfigSource;
  /** The environment variable that can set it. */
  readonly variable?: string | undefined;
  readonly default: unknown;
}

/** Input type of a setting, for forms. */
export type SettingKind =
  | { readonly kind: "choice"; readonly options: readonly string[] }
  | { readonly kind: "number"; readonly unit: string; readonly least: number; readonly most: number }
  | { readonly kind: "switch" }
  | { readonly kind: "paths"; readonly most: number }
  | { readonly kind: "lines"; readonly most: number; readonly example: string };

export type SettingValue = string | number | boolean | readonly string[];

/** The server's limits. */
export interface SettingsLimits {
  /** Entries of the audit log in a response. */
  readonly changes: 500;
}

/** An option that can be changed at run time. */
export type Setting = SettingKind & {
  readonly name: string;
  readonly meaning: string;
  /** What a change does to the data. */
  readonly effect?: OptionEffect | undefined;
  readonly value: SettingValue;
  /** The value that it reverts to. */
  readonly initial: SettingValue;
  readonly changed_at: number | null;
  readonly changed_by: string | null;
  /** When it reverts automatically; null for never. */
  readonly until: number | null;
};

export interface Sessions {
  readonly count: number;
  readonly tokens: number;
}

export interface StoragePart {
  readonly name: string;
  readonly bytes: number;
}

export interface Storage {
  readonly engine: "sqlite" | "postgres";
  readonly bytes: number;
  /** Largest first. */
  readonly parts: readonly StoragePart[];
  /** The same data by purpose. */
  readonly stores: readonly StoredData[];
}

/** Data that is stored in the same file, or for the same purpose. */
export interface StoredData {
  readonly name: string;
  readonly title: string;
  /** One or more large stores, all others, or the application. */
  readonly owner: "store" | "others" | "application";
  readonly bytes: number;
  /** How much of the files contains no data. Absent for PostgreSQL. */
  readonly free_bytes?: number | undefined;
  /** Deletions in progress. */
  readonly removing?: readonly Removal[] | undefined;
  /** Data that the limit deletes before its retention ends: "11 of 30 days of minutes fit". */
  readonly early?: readonly string[] | undefined;
  /** The names of its files or tables, largest first. */
  readonly parts: readonly string[];
  readonly limit?: StoredLimit | undefined;
  /** Empty if nothing is deleted. */
  readonly retention: readonly StoredTime[];
}

export interface StoredLimit {
  /** The store that the limit applies to. */
  readonly store: string;
  readonly max_bytes: number;
  /** What the limit applies to, if that is only a part of the row. */
  readonly of?: string | undefined;
}

/** How long some data is stored: the value of an option, or a fixed time in words. */
export interface StoredTime {
  /** Default: everything. */
  readonly of?: string | undefined;
  readonly option?: string | undefined;
  readonly ms?: number | undefined;
  readonly words?: string | undefined;
  readonly note?: string | undefined;
}

/** A group of options. */
export interface ConfigGroup {
  readonly name: string;
  readonly title: string;
}

/** A kind of data that is dropped so that the application does not have to wait. */
export interface DroppedKind {
  readonly name: string;
  readonly title: string;
  readonly about: string;
}

export interface ConfigResponse {
  readonly entries: readonly ConfigEntry[];
  readonly groups: readonly ConfigGroup[];
  readonly settings: readonly Setting[];
  readonly sessions: Sessions;
  readonly storage: Storage;
  readonly dropped: readonly DroppedKind[];
}

export type ChangeKind =
  | "start"
  | "stop"
  | "setting"
  | "revert"
  | "timezone"
  | "pause"
  | "resume"
  | "remove"
  | "restore"
  | "run"
  | "cancel"
  | "superuser-add"
  | "superuser-remove"
  | "password";

/** One run of the application's process. */
export interface Life {
  /** The release of the application; null if it is not known. */
  readonly release: string | null;
  /** The version of Annex. */
  readonly annex: string;
  readonly pid: number;
}

/**
 * An entry in the audit log. For a start, `before` and `after` are the lives before and after it, and `detail` is
 * "after a crash" if the life before did not end with a stop. Entries of older versions have the version of Annex
 * instead.
 */
export interface Change {
  readonly id: number;
  readonly at: number;
  /** The user; null for the application itself. */
  readonly actor: string | null;
  readonly instance: string;
  readonly kind: ChangeKind;
  readonly subject: string;
  readonly before: unknown;
  readonly after: unknown;
  readonly detail: string | null;
}

export interface ChangeList {
  readonly from: number;
  readonly to: number;
  /** Newest first. */
  readonly changes: readonly Change[];
}

/** The responses of GET routes, by path. */
export interface SettingsRoutes {
  "/_/_/data/config": ConfigResponse;
  "/_/_/data/changes": ChangeList;
}

/** The responses of routes that change something, by method and path. */
export interface SettingsActions {
  "PUT /_/_/data/config/{name}": Setting;
  "DELETE /_/_/data/config/{name}": Setting;
}
