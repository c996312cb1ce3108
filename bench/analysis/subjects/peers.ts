import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { runCommand } from "../command.ts";
import { type Content, countContent } from "../content.ts";
import { createExpressProject } from "../projects/express.ts";
import { type Files, writeFiles } from "../projects/files.ts";
import { createTsoaProject } from "../projects/tsoa.ts";
import type { Contestant } from "../rounds.ts";

/** Another way to documents: a program that reads the source and ends. */
export interface Peer {
  readonly name: string;
  /** Its own writing of the API; none: it reads our project, and makes no document. */
  readonly createProject?: (handlers: number) => Files;
  /** What Node is given. */
  readonly args: (folder: string) => readonly string[];
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

interface PreparedPeer extends Contestant {
  /** What its document tells, after a run. */
  readContent(): Content | undefined;
}

export function preparePeer(peer: Peer, folder: string, ours: string, handlers: number): PreparedPeer {
  const { name, createProject, args } = peer;
  const project = createProject ? join(folder, `${name}-${handlers}`) : ours;
  if (createProject) writeFiles(project, createProject(handlers));
  return {
    name,
    run: () => runCommand(args(project), project),
    readContent: () =>
      createProject && countContent(JSON.parse(readFileSync(join(project, "openapi.json"), "utf8"))),
  };
}
