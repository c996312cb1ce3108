// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

interface ExportRequest {
  dataset: string;
  rows: number;
}

interface ExportJob {
  id: string;
  progress: number;
  startedAt: Date;
  fileUrl: string | null;
  failed: boolean;
}

interface Profile {
  id: string;
  displayName: string;
  updatedAt: Date;
}

declare const queue: {
  enqueue(request: ExportRequest): Promise<ExportJob>;
  find(id: string): Promise<ExportJob | undefined>;
  cancel(id: string): Promise<boolean>;
};
declare function upsertProfile(id: string, name: string): Promise<{ profile: Profile; created: boolean }>;

async function startExport(e: RequestEvent) {
  const request = await e.bindBody<ExportRequest>();
  const job = await queue.enqueue(request);
  e.setHeader("Location", `/exports/${job.id}`);
  e.setHeader("Retry-After", 5);
  return e.json(202, { id: job.id, startedAt: job.startedAt });
}

async function getExport(e: RequestEvent<"id">) {
  const job = await queue.find(e.pathValue("id"));
  if (!job) throw e.error(404, "There is no such export.");
  if (job.failed) throw e.error(410, "This export has failed.");
  if (job.fileUrl) return e.redirect(303, job.fileUrl);
  e.setHeader("Retry-After", job.progress > 0.9 ? "1" : "5");
  return e.json(202, { progress: job.progress, percent: Math.round(job.progress * 100) });
}

async function cancelExport(e: RequestEvent<"id">) {
  const wasRunning = await queue.cancel(e.pathValue("id"));
  if (!wasRunning) throw e.error(409, "This export has ended already.");
  return e.noContent();
}

async function putProfile(e: RequestEvent<"id">) {
  const { displayName } = await e.bindBody<Pick<Profile, "displayName">>();
  const { profile, created } = await upsertProfile(e.pathValue("id"), displayName.trim());
  if (created) {
    e.setHeader("Location", `/profiles/${profile.id}`);
    return e.json(201, profile);
  }
  return e.json(200, profile);
}

function oldProfile(e: RequestEvent<"id">) {
  return e.redirect(308, `/profiles/${encodeURIComponent(e.pathValue("id"))}`);
}

export function routes(router: VersionedRouter): void {
  router.post("/exports", startExport);
  router.get("/exports/{id}", getExport);
  router.delete("/exports/{id}", cancelExport);
  router.put("/profiles/{id}", putProfile);
  router.get("/users/{id}", oldProfile);
}
