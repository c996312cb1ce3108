// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

interface Job {
  id: string;
  name: string;
  startedAt: Date | null;
}

interface Batch {
  source: string;
  points: { at: string; value: number }[];
}

declare const staff: { verify(name: string, password: string): Promise<boolean> };
declare const gateways: { accepts(key: string): Promise<boolean> };
declare const jobs: { list(): Promise<Job[]>; stop(id: string): Promise<boolean> };
declare const batches: { keep(batch: Batch): Promise<{ id: string }> };

async function basicAuth(e: RequestEvent) {
  const header = e.header("Authorization") ?? "";
  if (!header.startsWith("Basic ")) {
    e.setHeader("WWW-Authenticate", 'Basic realm="staff"');
    throw e.error(401, "Sign in with your staff account.");
  }
  const [name = "", password = ""] = Buffer.from(header.slice(6), "base64").toString("utf8").split(":");
  if (!(await staff.verify(name, password))) throw e.error(401, "Wrong name or password.");
  await e.next();
}

async function gatewayKey(e: RequestEvent) {
  const key = e.header("x-gateway-key");
  if (key === undefined) throw e.error(401, "The gateway's key is missing.");
  if (!(await gateways.accepts(key))) throw e.error(403, "This gateway is not known.");
  await e.next();
}

async function listJobs(e: RequestEvent) {
  return e.json(200, await jobs.list());
}

async function stopJob(e: RequestEvent<"id">) {
  if (!(await jobs.stop(e.pathValue("id")))) throw e.error(404, "There is no such job.");
  return e.noContent();
}

async function ingestBatch(e: RequestEvent) {
  const batch = await e.bindBody<Batch>();
  return e.json(202, await batches.keep(batch));
}

function getStatus(e: RequestEvent) {
  return e.text(200, "up");
}

export function routes(router: VersionedRouter): void {
  router.get("/status", getStatus);

  const admin = router.setPrefix("/admin");
  admin.bindFunc(basicAuth);
  admin.get("/jobs", listJobs);
  admin.post("/jobs/{id}/stop", stopJob);

  const ingest = router.setPrefix("/ingest");
  ingest.bindFunc(gatewayKey);
  ingest.post("/batches", ingestBatch);
}
