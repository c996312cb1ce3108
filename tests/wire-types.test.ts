import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, it } from "node:test";
import { createFolder } from "./support/program.ts";

const root = resolve(import.meta.dirname, "..");

/** A field of each wire file, with a file that writes it on the server and one that reads it in the dashboard. */
const seams = [
  { name: "access", field: "last_time", server: "responses.ts", web: "pages/access/event-list.tsx" },
  {
    name: "cron",
    field: "schedule_words",
    server: "dashboard/responses.ts",
    web: "pages/cron/jobs/job-filter.ts",
  },
  { name: "dashboard", field: "address", server: "views/routes.ts", web: "shell/views/view-row.tsx" },
  {
    name: "docs",
    field: "operation_id",
    server: "data-responses.ts",
    web: "explorer/endpoints/endpoint-list.tsx",
  },
  { name: "logging", field: "complete", server: "routes.ts", web: "pages/logs/volume-chart.tsx" },
  { name: "metrics", field: "p95_ms", server: "requests/request-metrics.ts", web: "charts/request-lines.ts" },
  { name: "settings", field: "changed_by", server: "responses.ts", web: "pages/config/options/source.tsx" },
  { name: "visitors", field: "bounce_rate", server: "responses.ts", web: "pages/visitors/tiles.tsx" },
].map(({ name, field, server, web }) => ({
  wire: `src/features/${name}/wire.ts`,
  field,
  server: `src/features/${name}/${server}`,
  web: `web/src/${web}`,
}));

describe("a renamed field of a wire file", () => {
  for (const [side, config] of [
    ["server", "tsconfig.json"],
    ["web", "web/tsconfig.json"],
  ] as const) {
    it(`does not compile on the side of the ${side}`, (t) => {
      const files = seams.map((seam) => seam[side]);
      const problems = compile(copyWithRenamedFields(createFolder(t)), config, files);
      for (const { [side]: file, field } of seams) {
        const isFound = problems.some((line) => line.startsWith(`${file}(`) && line.includes(`'${field}'`));
        assert.ok(isFound, `${file} compiles without ${field}:\n${problems.join("\n")}`);
      }
    });
  }
});

function copyWithRenamedFields(folder: string): string {
  for (const part of ["src", "web/src", "tsconfig.json", "web/tsconfig.json", "package.json"])
    cpSync(join(root, part), join(folder, part), { recursive: true });
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  for (const { wire, field } of seams) {
    const source = readFileSync(join(root, wire), "utf8");
    const renamed = source.replaceAll(new RegExp(`\\b${field}\\b`, "g"), "renamed");
    assert.notEqual(renamed, source, wire);
    writeFileSync(join(folder, wire), renamed);
  }
  return folder;
}

/** Compiles only some files and their imports, which takes a second instead of a minute. */
function compile(folder: string, config: string, files: readonly string[]): string[] {
  const own = { extends: `./${config}`, include: [], files };
  writeFileSync(join(folder, "tsconfig.some.json"), JSON.stringify(own));
  const tsc = join(root, "node_modules/typescript/bin/tsc");
  const args = [tsc, "-p", "tsconfig.some.json", "--pretty", "false"];
  try {
    execFileSync(process.execPath, args, { cwd: folder, encoding: "utf8", timeout: 360_000 });
    return [];
  } catch (error) {
    const { stdout = "" } = error as { stdout?: string };
    return stdout.split("\n").filter((line) => /error TS/.test(line));
  }
}
