import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type CommandRun, runCommand } from "../command.ts";
import { type Content, countContent } from "../content.ts";
import { median } from "../median.ts";
import { createExpressProject } from "../projects/express.ts";
import { type Files, writeFiles } from "../projects/files.ts";
import { createTsoaProject } from "../projects/tsoa.ts";

/** Another way to documents: a program that reads the source and ends. */
interface Peer {
  readonly name: string;
  /** Its own writing of the API; none: it reads our project. */
  readonly createProject?: (handlers: number) => Files;
  /** What Node is given. */
  readonly args: (folder: string) => readonly string[];
}

export interface PeerResult extends CommandRun {
  readonly name: string;
  readonly runs: number;
  /** None: it makes no document. */
  readonly content: Content | undefined;
}

export const peers: readonly Peer[] = [
  { name: "swagger-autogen", createProject: createExpressProject, args: () => ["document.js"] },
  {
    name: "tsoa",
    createProject: createTsoaProject,
    args: () => [fileURLToPath(import.meta.resolve("tsoa/dist/cli.js")), "spec"],
  },
  {
    name: "TypeScript 6 walk",
    args: (folder) => [fileURLToPath(import.meta.resolve("./typescript-6.ts")), folder],
  },
];

/** What is slow is not repeated for ever. */
const budgetMs = 12_000;

export async function measurePeer(
  { name, createProject, args }: Peer,
  { folder, ours, handlers, rounds }: { folder: string; ours: string; handlers: number; rounds: number },
): Promise<PeerResult> {
  const project = createProject ? join(folder, `${name}-${handlers}`) : ours;
  mkdirSync(project, { recursive: true });
  if (createProject) writeFiles(project, createProject(handlers));
  const runs: CommandRun[] = [];
  let spent = 0;
  while (runs.length < rounds && spent < budgetMs) {
    const run = await runCommand(args(project), project);
    runs.push(run);
    spent += run.milliseconds;
  }
  const content = createProject
    ? countContent(JSON.parse(readFileSync(join(project, "openapi.json"), "utf8")))
    : undefined;
  return {
    name,
    runs: runs.length,
    milliseconds: median(runs.map(({ milliseconds }) => milliseconds)),
    megabytes: median(runs.map(({ megabytes }) => megabytes)),
    content,
  };
}
