/** One way to a document, from the start of a process. */
export interface Run {
  readonly documentMs: number;
  readonly cpuMs: number;
  /** The most it had at once, with its children. */
  readonly megabytes: number;
}

export interface Contestant<R extends Run = Run> {
  readonly name: string;
  run(): Promise<R>;
}

export interface RoundLimits {
  readonly most: number;
  /** After so long no further round begins, once there have been two. */
  readonly budgetMs: number;
}

/**
 * Lets all run in turn, again and again, so that whoever else uses the machine meets all of them alike. One that fails
 * is told of and left out: the minutes of the others would be lost with it.
 */
export async function runRounds(
  contestants: readonly Contestant[],
  { most, budgetMs }: RoundLimits,
): Promise<Map<string, Run[]>> {
  const runs = new Map<string, Run[]>(contestants.map(({ name }) => [name, []]));
  const begin = performance.now();
  for (let round = 0; round < most; round++) {
    if (round >= 2 && performance.now() - begin > budgetMs) break;
    for (const { name, run } of contestants) {
      try {
        runs.get(name)?.push(await run());
      } catch (error) {
        runs.delete(name);
        console.log(`${name}: ${(error as Error).message}`);
      }
    }
  }
  return runs;
}
