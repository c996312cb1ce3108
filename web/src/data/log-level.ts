import { send } from "./api.ts";
import { type Query, useQuery } from "./query.ts";

/** The minimum level of stored records. */
export interface LogLevelSetting {
  readonly name: string;
  readonly value: string;
  /** The value that it reverts to. */
  readonly initial: string;
  readonly changed_by: string | null;
  /** When it reverts automatically; null for never. */
  readonly until: number | null;
}

const path = "/_/_/data/config";

export function useLogLevel(): Query<LogLevelSetting | undefined> {
  const query = useQuery<{ settings: readonly LogLevelSetting[] }>(path, {}, { every: 30_000 });
  return { ...query, data: query.data?.settings.find(({ name }) => name === "logLevel") };
}

/** Changes the level for the given number of minutes, or until it is changed again. */
export function changeLogLevel(value: string, minutes: number | undefined): Promise<LogLevelSetting> {
  return send("PUT", `${path}/logLevel`, { value, ...(minutes !== undefined && { minutes }) });
}

export function revertLogLevel(): Promise<LogLevelSetting> {
  return send("DELETE", `${path}/logLevel`);
}
