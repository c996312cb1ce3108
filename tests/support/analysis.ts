import { until } from "../../src/lib/testing/until.ts";

/**
 * Waits until requests are checked. In development, a request waits 30 seconds for the analysis of the source, and a
 * busy machine takes longer. `address`: a checked route that responds without a session and without a rate limit.
 */
export async function untilChecked(address: string): Promise<void> {
  const statusOf = async () => (await fetch(address)).status;
  const isChecked = (status: number) => status !== 503;
  await until("the source is analyzed", statusOf, isChecked, { within: 9 * 60_000 });
}
