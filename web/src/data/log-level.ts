import { send } from "./api.ts";
import { type Query, useQuery } from "./query.ts";

/** The level from which on records are written, as somebody set it. */
export interface LogLevelSetting {
  readonly name: string;
  readonly value: string;
  /** What it goes back to. */
  readonly initial: string;
  readonly changed_by: string | null;
  /** When it goes back by itself; null for never. */
  readonly until: number | null;
}

const path = "/_/_/data/config";

export function useLogLevel(): Query<LogLevelSetting | undefined> {
  const query = useQuery<{ settings: readonly LogLevelSetting[] }>(path, {}, { every: 30_000 });
  return { ...query, data: query.data?.settings.find(({ name }) => name === "logLevel") };
}

/** For so many minutes, or until somebody changes it back. */
export function changeLogLevel(value: string, minutes: number | undefined): Promise<LogLevelSetting> {
  return send("PUT", `${path}/logLevel`, { value, ...(minutes !== undefined && { minutes }) });
}

export function revertLogLevel(): Promise<LogLevelSetting> {
  return send("DELETE", `${path}/logLevel`);
}
