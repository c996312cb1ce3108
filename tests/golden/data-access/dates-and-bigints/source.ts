// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

interface FileRow {
  id: bigint;
  ownerId: bigint;
  name: string;
  bytes: bigint;
  uploadedAt: Date;
  expiresAt: Date | null;
}

interface FileRepository {
  byId(id: bigint): Promise<FileRow | null>;
  byOwner(ownerId: bigint): Promise<FileRow[]>;
}

declare const files: FileRepository;

function toDto(row: FileRow) {
  return {
    id: row.id.toString(),
    name: row.name,
    size: String(row.bytes),
    uploadedAt: row.uploadedAt.toISOString(),
    uploadedMs: row.uploadedAt.getTime(),
    uploadedDay: row.uploadedAt.toISOString().slice(0, 10),
    expiresAt: row.expiresAt ? row.expiresAt.toISOString() : null,
    isLarge: row.bytes > 1_000_000_000n,
  };
}

function parseId(e: RequestEvent<"id">): bigint {
  const text = e.pathValue("id");
  if (!/^\d+$/.test(text)) throw e.error(400, "An ID is a number.");
  return BigInt(text);
}

async function getFile(e: RequestEvent<"id">) {
  const row = await files.byId(parseId(e));
  if (row === null) throw e.error(404, "There is no such file.");
  return e.json(200, toDto(row));
}

// Whole rows, with texts where JSON has no word for the value.
async function listFilesOfOwner(e: RequestEvent<"id">) {
  const rows = await files.byOwner(parseId(e));
  const plain = rows.map((row) => ({
    ...row,
    id: row.id.toString(),
    ownerId: row.ownerId.toString(),
    bytes: `${row.bytes}`,
  }));
  return e.json(200, { files: plain, total: rows.reduce((sum, row) => sum + row.bytes, 0n).toString() });
}

async function getExpiry(e: RequestEvent<"id">) {
  const row = await files.byId(parseId(e));
  if (!row?.expiresAt) throw e.error(404, "This file does not expire.");
  const left = row.expiresAt.getTime() - Date.now();
  e.setHeader("Expires", row.expiresAt.toUTCString());
  return e.json(200, { at: row.expiresAt, days: Math.floor(left / 86_400_000), isOver: left <= 0 });
}

export function routes(router: VersionedRouter): void {
  router.get("/files/{id}", getFile);
  router.get("/owners/{id}/files", listFilesOfOwner);
  router.get("/files/{id}/expiry", getExpiry);
}
