import { table } from "../markdown.ts";
import type { Round } from "./counter-run.ts";

/** The loss per kill, in Markdown. */
export function writeCounterReport(
  results: readonly { readonly engine: string; readonly rounds: readonly Round[] }[],
  perSecond: number,
): string {
  const rows = results.map(({ engine, rounds }) => {
    const losses = rounds.map(({ lost }) => lost).sort((one, other) => one - other);
    const sum = (pick: (round: Round) => number) => rounds.reduce((total, round) => total + pick(round), 0);
    const acknowledged = sum(({ acknowledged }) => acknowledged);
    const asSeconds = (count: number) => `${count} (${(count / perSecond).toFixed(1)} s)`;
    return [
      engine,
      `${rounds.length}`,
      `${sum(({ sent }) => sent)}`,
      `${acknowledged}`,
      `${acknowledged - sum(({ lost }) => lost)}`,
      asSeconds(Math.round(sum(({ lost }) => lost) / rounds.length)),
      asSeconds(losses[0]!),
      asSeconds(losses.at(-1)!),
    ];
  });
  const head = ["Database", "Kills", "Sent", "Responses", "Counted"];
  return table([...head, "Lost per kill: mean", "least", "most"], rows);
}
