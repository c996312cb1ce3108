/**
 * Packs Annex for use in other projects: `npm run pack` writes `annex.tgz`, and `npm install ../annex/annex.tgz` installs it.
 * The name does not contain the version, so the commands of the documentation always work.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from "node:fs";
import { join, relative, resolve } from "node:path";

const root = join(import.meta.dirname, "..");
const target = resolve(process.argv[2] ?? join(root, "annex.tgz"));
const shell = process.platform === "win32";
mkdirSync(join(root, ".tmp"), { recursive: true });
const folder = mkdtempSync(join(root, ".tmp/pack-"));
try {
  const staged = join(folder, "package");
  execFileSync(process.execPath, [join(root, "scripts/stage.ts"), staged], { cwd: root, stdio: "inherit" });
  execFileSync("npm", ["pack", "--silent", "--pack-destination", ".."], {
    cwd: staged,
    stdio: "ignore",
    shell,
  });
  const packed = readdirSync(folder).find((name) => name.endsWith(".tgz"));
  renameSync(join(folder, packed!), target);
  console.log(`\nPacked ${relative(process.cwd(), target)}. In your project, run: npm install ${target}`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
