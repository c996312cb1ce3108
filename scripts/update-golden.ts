import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openTs7 } from "../src/features/docs/analysis/types/ts7.ts";
import { describeCases, goldenFolder, listCases, readCases, secretsIn } from "../tests/support/golden.ts";

/**
 * Overwrites the expected results of the golden cases with the current ones, of all cases or of those whose folder
 * contains the argument. Read the difference before you commit it.
 */
const [part = ""] = process.argv.slice(2);
const cases = listCases().filter(({ folder }) => folder.includes(part));
const all = await readCases(cases);
const files = all
  .flatMap((each) => [...each.files.contents.keys()])
  .filter((path) => path.startsWith(goldenFolder));
const engine = openTs7({
  root: goldenFolder,
  tsconfig: join(goldenFolder, "tsconfig.json"),
  files,
  secrets: secretsIn(all),
});
const results = await describeCases(all, engine);
engine.close();

const write = (path: string, value: unknown) => writeFileSync(path, `${JSON.stringify(value, null, 2)}\n`);
results.forEach(({ document, data }, index) => {
  const { folder } = cases[index]!;
  write(join(folder, "openapi.json"), document);
  rmSync(join(folder, "diagnostics.json"), { force: true });
  if (data.diagnostics.length > 0) write(join(folder, "diagnostics.json"), data.diagnostics);
});
process.stdout.write(`${cases.length} cases written. Read the output of git diff.\n`);
