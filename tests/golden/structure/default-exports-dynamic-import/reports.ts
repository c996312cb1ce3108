import { ApiError } from "../../../../src/index.ts";

export interface Report {
  id: string;
  title: string;
  values: number[];
  createdAt: Date;
}

const reports = new Map<string, Report>();

export async function loadReport(id: string): Promise<Report> {
  const report = reports.get(id);
  if (!report) throw new ApiError(404, "There is no such report.");
  return report;
}

export async function deleteReport(id: string): Promise<void> {
  reports.delete(id);
}
