// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

const EXPORT_FORMAT = /^(?:pdf|csv|xlsx)$/;

interface Timesheet {
  id: string;
  employee: string;
  hours: number;
}

declare const timesheets: {
  list(direction: string, rhythm: string | undefined): Promise<Timesheet[]>;
  render(id: string, format: string, paper: string): Promise<string>;
  schema(release: string): Promise<string[]>;
};

export const listTimesheets = async (e: RequestEvent) => {
  const direction = e.query("dir") ?? "asc";
  if (!/^(asc|desc)$/.test(direction)) throw e.error(400, "The direction is asc or desc.");

  // Rhythms are named like daily-early or weekly-2.
  const rhythm = e.query("rhythm");
  if (rhythm !== undefined && !/^(daily|weekly)/.test(rhythm)) {
    throw e.error(400, "Only daily and weekly rhythms are listed.");
  }
  return e.json(200, await timesheets.list(direction, rhythm));
};

export const exportTimesheet = async (e: RequestEvent<"id">) => {
  const format = e.query("format") ?? "";
  if (!EXPORT_FORMAT.test(format)) throw e.error(400, "A timesheet is written as pdf, csv or xlsx.");
  const paper = e.header("x-paper-size") ?? "a4";
  if (!/^(a4|a5|letter)$/.test(paper)) throw e.error(400, "There is no such paper in the printer.");
  return e.json(202, { file: await timesheets.render(e.pathValue("id"), format, paper) });
};

export const getTimesheetFields = async (e: RequestEvent) => {
  const release = e.query("release") ?? "v1";
  if (!/^(v1|v2\.\d+)$/.test(release)) throw e.error(404, "There is no such release.");
  return e.json(200, await timesheets.schema(release));
};

export function routes(router: VersionedRouter): void {
  router.get("/timesheets", listTimesheets);
  router.post("/timesheets/{id}/export", exportTimesheet);
  router.get("/timesheets/fields", getTimesheetFields);
}
