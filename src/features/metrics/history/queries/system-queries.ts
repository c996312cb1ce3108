import type * as wire from "../../wire.ts";
import type { Segment } from "../levels.ts";
import type { Names } from "../names.ts";
import { Gauge, getOrMake } from "../slot.ts";
import { firstPoint, type HistoryReader, type Periods } from "./periods.ts";
import type { PastQuery, SystemSeries } from "./query.ts";
import type { SlotReader } from "./slot-reader.ts";

/** Reads the system metrics of the past, of each instance. */
export class SystemQueries {
  private readonly slots: SlotReader;
  private readonly names: Names;
  private readonly periods: Periods;

  constructor({ slots, names, periods }: HistoryReader) {
    this.slots = slots;
    this.names = names;
    this.periods = periods;
  }

  async series(query: PastQuery): Promise<SystemSeries> {
    const { step, start, count, segments } = await this.periods.plan(query);
    const stepAt = (time: number) => Math.floor((time - start) / step);
    const values = await this.readMetrics(query, segments, { count, stepAt });
    const before = await this.periods.coverBefore({ from: start, to: query.to }, query);
    const previous = before && (await this.readMetrics(query, before, { count: 1, stepAt: () => 0 }));
    const first = firstPoint(query, { start, step, count });
    return {
      from: start,
      to: start + count * step,
      step,
      first_point: first,
      instances: mapMetrics(values, ({ steps }) => toLines(steps.slice(first))),
      summary: mapMetrics(values, toSummary),
      previous: previous?.size ? mapMetrics(previous, toSummary) : undefined,
    };
  }

  private async readMetrics(
    query: PastQuery,
    segments: readonly Segment[],
    { count, stepAt }: { count: number; stepAt(time: number): number },
  ): Promise<ValuesOfInstances> {
    const known = await this.names.all();
    const isWanted = createNameFilter(query.names);
    const wanted = new Map([...known].filter(([, name]) => isWanted(name)));
    const values: ValuesOfInstances = new Map();
    // By number and instance: most names are read thousands of times.
    const found = new Map<string, (MetricOverTime | "unwanted" | undefined)[]>();
    let [last, metrics]: [string | undefined, (MetricOverTime | "unwanted" | undefined)[]] = [undefined, []];
    const metricOf = (instance: string, number: number) => {
      const name = wanted.get(number);
      if (name === undefined) return "unwanted";
      const byName = getOrMake(values, instance, () => new Map<string, MetricOverTime>());
      return getOrMake(byName, name, () => createMetric(count));
    };
    await this.slots.readSystem(
      segments,
      query.instance,
      ({ time, instance, samples }, number, mean, max) => {
        const index = stepAt(time);
        if (index >= count) return;
        if (instance !== last) {
          last = instance;
          metrics = getOrMake(found, instance, () => []);
        }
        metrics[number] ??= metricOf(instance, number);
        const metric = metrics[number];
        if (metric === "unwanted") return;
        metric.whole.add(mean, max, samples);
        metric.steps[index]!.add(mean, max, samples);
      },
    );
    return values;
  }
}

/** A system metric, per step and over the whole period. */
interface MetricOverTime {
  readonly whole: Gauge;
  readonly steps: readonly Gauge[];
}

type ValuesOfInstances = Map<string, Map<string, MetricOverTime>>;

const createMetric = (count: number): MetricOverTime => ({
  whole: new Gauge(),
  steps: Array.from({ length: count }, () => new Gauge()),
});

function mapMetrics<Value>(
  metrics: ValuesOfInstances,
  toValue: (metric: MetricOverTime) => Value,
): Record<string, Record<string, Value>> {
  const instances = [...metrics].map(([instance, byName]) => {
    const values = [...byName].map(([name, metric]) => [name, toValue(metric)]);
    return [instance, Object.fromEntries(values)];
  });
  return Object.fromEntries(instances);
}

/** Matches names, or prefixes that end in `.*`. */
function createNameFilter(wanted: readonly string[] | undefined): (name: string) => boolean {
  if (!wanted || wanted.length === 0) return () => true;
  const exact = new Set(wanted);
  const prefixes = wanted.filter((name) => name.endsWith(".*")).map((name) => name.slice(0, -1));
  return (name) => exact.has(name) || prefixes.some((prefix) => name.startsWith(prefix));
}

const isSeen = ({ max }: Gauge) => max !== Number.NEGATIVE_INFINITY;
/** Values are stored with seven digits. */
const round = (value: number) => Number(value.toPrecision(6));

function toLines(gauges: readonly Gauge[]): wire.SystemLine {
  return {
    mean: gauges.map((gauge) => (isSeen(gauge) ? round(gauge.mean) : null)),
    max: gauges.map((gauge) => (isSeen(gauge) ? round(gauge.max) : null)),
  };
}

function toSummary({ whole, steps }: MetricOverTime): wire.SystemSummary {
  const last = steps.findLast(isSeen) ?? whole;
  return { mean: round(whole.mean), max: round(whole.max), last: round(last.mean) };
}
