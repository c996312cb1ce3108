import type { Content } from "./content.ts";
import type { Run } from "./rounds.ts";
import { runRounds } from "./rounds.ts";
import {
  createProject,
  type Mode,
  measureListening,
  measureStart,
  modes,
  type Start,
} from "./subjects/annex.ts";
import { type Peer, preparePeer } from "./subjects/peers.ts";
import { measureWork, type Work } from "./subjects/work.ts";

/** A tool with its runs, and what its document tells, if it makes one. */
export interface Entry {
  readonly name: string;
  readonly runs: readonly Run[];
  readonly content: Content | undefined;
}

/** Everything that was measured with so many handlers. */
export interface SizeResult {
  readonly handlers: number;
  readonly entries: readonly Entry[];
  readonly starts: Readonly<Record<Mode, readonly Start[]>>;
  /** Of these starts and of more. */
  readonly listeningMs: Readonly<Record<Mode, readonly number[]>>;
  readonly work: Work;
}

const budgetMs = 30_000;
/** Starts that end when the application listens: these differ by little, and it takes more of them to tell. */
const moreStarts = 5;

export async function measureSize(
  folder: string,
  handlers: number,
  peers: readonly Peer[],
): Promise<SizeResult> {
  const project = createProject(folder, handlers);
  await measureStart(project, "without");
  const starts: Record<Mode, Start[]> = { without: [], cold: [], cached: [] };
  const own = modes.map((mode) => ({
    name: nameOf(mode),
    run: async () => {
      const start = await measureStart(project, mode);
      starts[mode].push(start);
      return start;
    },
  }));
  const others = peers.map((peer) => preparePeer(peer, folder, project, handlers));
  const runs = await runRounds([...own, ...others], { most: handlers > 100 ? 3 : 5, budgetMs });
  const listeningMs = await measureStarts(project, starts);
  const work = await measureWork(project, handlers);
  const entries = [
    ...(["cold", "cached"] as const).map((mode) => ({ name: nameOf(mode), content: work.content })),
    ...others
      .filter(({ name }) => runs.has(name))
      .map((peer) => ({ name: peer.name, content: peer.readContent() })),
  ].map((entry) => ({ ...entry, runs: runs.get(entry.name)! }));
  return { handlers, entries, starts, listeningMs, work };
}

const nameOf = (mode: Mode) => `annex, ${mode}`;

async function measureStarts(project: string, known: SizeResult["starts"]): Promise<Record<Mode, number[]>> {
  const all = modes.map((mode) => [mode, known[mode].map(({ listeningMs }) => listeningMs)]);
  const times = Object.fromEntries(all) as Record<Mode, number[]>;
  for (let round = 0; round < moreStarts; round++)
    for (const mode of modes) times[mode].push(await measureListening(project, mode));
  return times;
}
