import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { round } from "./window.ts";

type Chunk = { file: string; isEntry?: boolean; css?: string[]; imports?: string[] };

const folder = new URL("../../web/dist/", import.meta.url);

/** What the browser loads of the client, compressed: before the first numbers, for the charts, and for all pages. */
export function measureSizes(): object {
  const manifest: Record<string, Chunk> = JSON.parse(readFileSync(new URL("manifest.json", folder), "utf8"));
  const filesOf = ({ file, css = [], imports = [] }: Chunk): string[] => [
    file,
    ...css,
    ...imports.flatMap((name) => filesOf(manifest[name]!)),
  ];
  const chunks = Object.values(manifest);
  const first = new Set(filesOf(chunks.find(({ isEntry }) => isEntry)!));
  const charts = new Set(filesOf(manifest["src/charts/plot.ts"]!)).difference(first);
  const result = {
    "KB before the first numbers": sizeOf(first),
    "KB of the charts": sizeOf(charts),
    "KB of all pages": sizeOf(new Set(chunks.flatMap(filesOf))),
  };
  console.log("\nSizes of the client, compressed");
  console.table(result);
  return result;
}

function sizeOf(files: ReadonlySet<string>): number {
  const sizes = [...files].map((file) => gzipSync(readFileSync(new URL(file, folder)), { level: 9 }).length);
  return round(sizes.reduce((sum, size) => sum + size, 0) / 1_000);
}
