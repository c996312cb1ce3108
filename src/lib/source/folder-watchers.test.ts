import assert from "node:assert/strict";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { createTemporaryFolder } from "../testing/temporary-folder.ts";
import { until } from "../testing/until.ts";
import { FolderWatchers } from "./folder-watchers.ts";

describe("the watched folders", () => {
  it("are watched anew if they were replaced, also after they were away", async (t) => {
    const root = createTemporaryFolder();
    const folder = join(root, "src/inner");
    const file = join(folder, "a.ts");
    let changes = 0;
    const watchers = new FolderWatchers(() => {
      changes++;
    });
    t.after(() => watchers.close());
    const untilSeen = (act: () => void) => {
      const before = changes;
      act();
      return until("the change is seen", () => changes > before);
    };
    mkdirSync(folder, { recursive: true });
    assert.equal(watchers.watch([file]), true);
    assert.equal(watchers.watch([file]), false);
    await untilSeen(() => writeFileSync(file, "1"));
    await untilSeen(() => rmSync(join(root, "src"), { recursive: true }));
    watchers.watch([file]);
    await untilSeen(() => mkdirSync(folder, { recursive: true }));
    watchers.watch([file]);
    await untilSeen(() => writeFileSync(file, "2"));
  });
});
