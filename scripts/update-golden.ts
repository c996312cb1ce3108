import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openTs7 } from "../src/docs/analysis/types/ts7.ts";
import {
  describeCases,
  goldenFolder,
  listCases,
  type ReadCase,
  readCase,
  secretsIn,
} from "../tests/support/golden.ts";

/** Writes what the analysis says now over what it is expected to say. Read the difference before you commit it. */
const cases = listCases();
const readCases: ReadCase[] = [];
for (const each of cases) readCases.push(await readCase(each));
const files = readCases
  .flatMap((each) => [...each.files.contents.keys()])
  .filter((path) => path.startsWith(goldenFolder));
const engine = openTs7({
  root: goldenFolder,
  tsconfig: join(goldenFolder, "tsconfig.json"),
  files,
  isSecret: secretsIn(readCases),
});
const results = await describeCases(readCases, engine);
engine.close();

const write = (path: string, value: unknown) => writeFileSync(path, `${JSON.stringify(value, null, 2)}\n`);
results.forEach(({ document, data }, index) => {
  const { folder } = cases[index]!;
  write(join(folder, "openapi.json"), document);
  rmSync(join(folder, "diagnostics.json"), { force: true });
  if (data.diagnostics.length > 0) write(join(folder, "diagnostics.json"), data.diagnostics);
});
process.stdout.write(`${cases.length} cases written; now read what git diff shows.\n`);
