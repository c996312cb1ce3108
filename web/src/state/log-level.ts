import type { Setting } from "../../../src/features/settings/wire.ts";
import { send } from "../data/api.ts";
import { type Query, useQuery } from "./query.ts";

/** The minimum level of stored records. */
export interface LogLevelSetting {
  readonly value: string;
  /** The value that it reverts to. */
  readonly initial: string;
  /** When it reverts automatically; null for never. */
  readonly until: number | null;
}

const name = "logLevel";

export function useLogLevel(): Query<LogLevelSetting | undefined> {
  const query = useQuery("/_/_/data/config", {}, { every: 30_000 });
  const setting = query.data?.settings.find((each) => each.name === name);
  return { ...query, data: setting && toLogLevel(setting) };
}

function toLogLevel({ value, initial, until }: Setting): LogLevelSetting {
  return { value: String(value), initial: String(initial), until };
}

/** Changes the level for the given number of minutes, or until it is changed again. */
export function changeLogLevel(value: string, minutes: number | undefined): Promise<Setting> {
  return send("PUT /_/_/data/config/{name}", { name }, { value, ...(minutes !== undefined && { minutes }) });
}

export function revertLogLevel(): Promise<Setting> {
  return send("DELETE /_/_/data/config/{name}", { name });
}
