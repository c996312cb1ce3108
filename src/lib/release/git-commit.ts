import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

/** The commit that is checked out in a folder or above it, without starting git. */
export function readGitCommit(folder: string): string | undefined {
  try {
    const git = findGitFolder(folder);
    return git && resolveHead(git);
  } catch {
    // A repository that cannot be read is no reason to fail a start.
    return undefined;
  }
}

function findGitFolder(folder: string): string | undefined {
  const path = join(folder, ".git");
  if (existsSync(path)) {
    if (statSync(path).isDirectory()) return path;
    // In a worktree or a submodule, the file names the folder.
    const named = /^gitdir: (.+)$/m.exec(readFileSync(path, "utf8"))?.[1];
    return named && resolve(folder, named.trim());
  }
  const parent = dirname(folder);
  return parent === folder ? undefined : findGitFolder(parent);
}

function resolveHead(git: string): string | undefined {
  const head = readFileSync(join(git, "HEAD"), "utf8").trim();
  const ref = /^ref: (.+)$/.exec(head)?.[1];
  if (ref === undefined) return toCommit(head);
  for (const folder of [git, commonFolder(git)]) {
    const loose = join(folder, ref);
    if (existsSync(loose)) return toCommit(readFileSync(loose, "utf8").trim());
    const packed = join(folder, "packed-refs");
    if (!existsSync(packed)) continue;
    const line = readFileSync(packed, "utf8")
      .split("\n")
      .find((each) => each.endsWith(` ${ref}`));
    if (line !== undefined) return toCommit(line.split(" ")[0]!);
  }
  return undefined;
}

/** The branches of a worktree are in the folder of the main repository. */
function commonFolder(git: string): string {
  const file = join(git, "commondir");
  return existsSync(file) ? resolve(git, readFileSync(file, "utf8").trim()) : git;
}

function toCommit(text: string): string | undefined {
  return /^[0-9a-f]{40,64}$/.test(text) ? text : undefined;
}
