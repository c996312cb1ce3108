import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";

/** Stops every process of a test server with SIGSTOP: its sockets stay open and nothing responds. */
export async function freezePostgres(url: string): Promise<{ thaw(): void }> {
  const postmaster = await findPostmaster(url);
  // The parent first, so that it starts no further children.
  process.kill(postmaster, "SIGSTOP");
  const children = execFileSync("pgrep", ["-P", `${postmaster}`], { encoding: "utf8" });
  const pids = [postmaster, ...children.trim().split("\n").map(Number)];
  for (const pid of pids) process.kill(pid, "SIGSTOP");
  let isFrozen = true;
  return {
    thaw() {
      // The parent last: it removes children that have ended.
      if (isFrozen) for (const pid of pids.toReversed()) process.kill(pid, "SIGCONT");
      isFrozen = false;
    },
  };
}

async function findPostmaster(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query("show data_directory");
    const [pid] = readFileSync(join(rows[0].data_directory, "postmaster.pid"), "utf8").split("\n");
    return Number(pid);
  } finally {
    await client.end();
  }
}
