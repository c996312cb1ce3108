import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, it } from "node:test";
import { listConditions } from "./databases.ts";
import { features } from "./features.ts";

const src = resolve(import.meta.dirname, "..");

/** The IDs of the issues that code reports. A value in an ID becomes a `*`. */
function readIds(folder: string): string[] {
  const files = globSync("**/*.ts", { cwd: join(src, folder) }).filter((file) => !file.endsWith(".test.ts"));
  return files.flatMap((file) => {
    const text = readFileSync(join(src, folder, file), "utf8");
    if (!/\b(HealthIssue|PastIssue)\b/.test(text)) return [];
    return [...text.matchAll(/\bid: (?:"([^"]+)"|`([^`]+)`)/g)].map(([, plain, pattern]) =>
      (plain ?? pattern!).replaceAll(/\$\{[^}]*\}/g, "*"),
    );
  });
}

const isDeclared = (declared: readonly { readonly id: string }[], id: string) =>
  declared.some((condition) =>
    condition.id.endsWith("*") ? id.startsWith(condition.id.slice(0, -1)) : condition.id === id,
  );

/** A list of losses belongs to the features that lose data, and the reason of a shutdown is no issue. */
const isGeneral = (id: string) => ["lost *", "shutdown"].includes(id);
/** The kind of an issue of the traffic comes first. */
const kinds = ["errors", "latency"];

describe("the conditions of the health status", () => {
  it("are declared by the feature that reports them", () => {
    let found = 0;
    for (const { name, conditions } of features) {
      const ids = readIds(`features/${name}`).filter((id) => !isGeneral(id));
      found += ids.length;
      for (const id of ids.flatMap((each) =>
        each.startsWith("* ") || each.startsWith("*") ? kinds.map((kind) => kind + each.slice(1)) : each,
      ))
        assert.ok(isDeclared(conditions, id), `${name} does not declare "${id}"`);
    }
    assert.ok(found > 8);
    for (const id of readIds("app")) assert.ok(isDeclared(listConditions(features), id), id);
  });

  it("have different IDs and a limit", () => {
    const all = listConditions(features);
    assert.equal(new Set(all.map(({ id }) => id)).size, all.length);
    for (const { id, degraded, failing } of all) assert.ok(degraded ?? failing, id);
  });
});
