// API_SOURCE
import { randomUUID } from "node:crypto";
import { freemem, totalmem } from "node:os";
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

const BYTES_PER_SECOND = 5_000_000;
const LINK_LIFETIME = 15 * 60 * 1000;

interface StoredFile {
  name: string;
  bytes: number;
}

declare function listFiles(folder: string): Promise<StoredFile[]>;
declare function lastBackup(): Date | undefined;
declare function readDocument(id: string): Promise<string | null>;

async function startBackup(e: RequestEvent<"folder">) {
  const startedAt = new Date();
  const files = await listFiles(e.pathValue("folder"));
  if (files.length === 0) throw e.error(409, "This folder is empty.");
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  return e.json(202, {
    backupId: randomUUID(),
    startedAt: startedAt.toISOString(),
    startedMs: startedAt.getTime(),
    files: files.length,
    bytes,
    averageKiB: Math.round((bytes / files.length / 1024) * 10) / 10,
    seconds: Math.ceil(bytes / BYTES_PER_SECOND),
  });
}

function getStatus(e: RequestEvent) {
  const backup = lastBackup();
  const memory = 1 - freemem() / totalmem();
  return e.json(200, {
    now: Date.now(),
    uptime: Math.floor(process.uptime()),
    memory,
    memoryPercent: Math.trunc(memory * 100),
    lastBackupAt: backup?.toISOString() ?? null,
    version: process.version,
  });
}

async function measureDocument(e: RequestEvent<"id">) {
  const text = await readDocument(e.pathValue("id"));
  if (text === null) throw e.error(404, "There is no such document.");
  const words = text.split(/\s+/);
  return e.json(200, {
    characters: text.length,
    words: words.length,
    readingMinutes: Math.round(words.length / 200),
    lettersPerWord: text.length / words.length,
  });
}

function shareDocument(e: RequestEvent<"id">) {
  const id = e.pathValue("id");
  const expiresAt = new Date(Date.now() + LINK_LIFETIME);
  return e.json(201, { link: `/shared/${id}`, expiresAt });
}

export function routes(router: VersionedRouter): void {
  router.post("/folders/{folder}/backup", startBackup);
  router.get("/status", getStatus);
  router.get("/documents/{id}/measures", measureDocument);
  router.post("/documents/{id}/share", shareDocument);
}
