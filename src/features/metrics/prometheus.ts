import type { CountedRoute } from "./requests/collector.ts";
import type { SystemDescription, SystemSample } from "./system/sampler.ts";

/** Number of finished runs by job and status. */
export type Outcomes = Map<string, Map<string, number>>;

/** Number of events since the start of this process, by one label. */
export interface Counter {
  /** Without "annex_" and "_total". */
  readonly name: string;
  readonly help: string;
  readonly label: string;
  readonly values: Readonly<Record<string, number>>;
}

export interface Exposed {
  readonly routes: readonly CountedRoute[];
  readonly system: SystemSample;
  readonly errors: number;
  readonly outcomes: Outcomes;
  readonly counters: readonly Counter[];
  readonly cost: { readonly collecting_ms: number; readonly dropped: Readonly<Record<string, number>> };
  readonly description: SystemDescription;
  /** Otherwise the older text format, which every scraper supports. */
  readonly isOpenMetrics: boolean;
}

type Labels = Readonly<Record<string, string>>;
type Sample = readonly [suffix: string, labels: Labels, value: number];

interface Family {
  readonly name: string;
  readonly type: "counter" | "gauge" | "histogram";
  readonly help: string;
  readonly samples: readonly Sample[];
}

/** Status classes by index. */
const classNames = ["", "1xx", "2xx", "3xx", "4xx", "5xx"];

/** Bucket bounds from about 0.5 ms to 34 s. They are powers of two in microseconds, like the internal buckets. */
const bounds = Array.from({ length: 17 }, (_, index) => index + 9);

/** Renders all metrics since the start of this process for a scraper. */
export function renderMetrics({ isOpenMetrics, ...exposed }: Exposed): string {
  const families = [...requestFamilies(exposed), ...ownFamilies(exposed), ...systemFamilies(exposed.system)];
  const lines = families.flatMap((family) => renderFamily(family, isOpenMetrics));
  return `${lines.join("\n")}\n${isOpenMetrics ? "# EOF\n" : ""}`;
}

function requestFamilies({ routes }: Pick<Exposed, "routes">): Family[] {
  const seen = routes.filter(({ sofar }) => sofar.count > 0);
  const sumOf = (of: "bytesIn" | "bytesOut"): Sample[] =>
    seen.map(({ name, sofar }) => ["_total", routeLabels(name), sofar[of]]);
  return [
    {
      name: "annex_http_requests",
      type: "counter",
      help: "Finished requests by method, route and status class.",
      samples: seen.flatMap(({ name, sofar }) =>
        classNames.flatMap((status, index): Sample[] =>
          sofar.classes[index] ? [["_total", { ...routeLabels(name), status }, sofar.classes[index]]] : [],
        ),
      ),
    },
    {
      name: "annex_http_request_duration_seconds",
      type: "histogram",
      help: "Request duration by method and route.",
      samples: seen.flatMap(durationSamples),
    },
    {
      name: "annex_http_request_bytes",
      type: "counter",
      help: "Bytes of request bodies, as declared by Content-Length.",
      samples: sumOf("bytesIn"),
    },
    {
      name: "annex_http_response_bytes",
      type: "counter",
      help: "Bytes of response bodies.",
      samples: sumOf("bytesOut"),
    },
  ];
}

function durationSamples({ name, sofar }: CountedRoute): Sample[] {
  const labels = routeLabels(name);
  const { durations, count, totalUs } = sofar;
  return [
    ...bounds.map(
      (power): Sample => ["_bucket", { ...labels, le: String(2 ** power / 1e6) }, durations.below(power)],
    ),
    ["_bucket", { ...labels, le: "+Inf" }, count],
    ["_count", labels, count],
    ["_sum", labels, totalUs / 1e6],
  ];
}

function routeLabels(name: string): Labels {
  const space = name.indexOf(" /");
  return space === -1
    ? { method: "", route: name }
    : { method: name.slice(0, space), route: name.slice(space + 1) };
}

function ownFamilies({
  errors,
  outcomes,
  counters,
  cost,
  description,
}: Omit<Exposed, "isOpenMetrics">): Family[] {
  const { annexVersion = "", nodeVersion, platform } = description;
  return [
    {
      name: "annex_errors",
      type: "counter",
      help: "Unhandled errors and failed job runs.",
      samples: [["_total", {}, errors]],
    },
    {
      name: "annex_cron_runs",
      type: "counter",
      help: "Finished job runs of this process by job and status.",
      samples: [...outcomes].flatMap(([job, byStatus]) =>
        [...byStatus].map(([status, count]): Sample => ["_total", { job, status }, count]),
      ),
    },
    ...counters.map(toFamily),
    {
      name: "annex_collecting_seconds",
      type: "counter",
      help: "Time spent collecting metrics on the main thread, excluding the counting of each request.",
      samples: [["_total", {}, cost.collecting_ms / 1_000]],
    },
    {
      name: "annex_dropped",
      type: "counter",
      help: "Records dropped because a limit was reached, by part.",
      samples: Object.entries(cost.dropped).map(([part, count]): Sample => ["_total", { part }, count]),
    },
    {
      name: "annex_build_info",
      type: "gauge",
      help: "Versions; always 1.",
      samples: [["", { annex: annexVersion, node: nodeVersion, platform }, 1]],
    },
  ];
}

function toFamily({ name, help, label, values }: Counter): Family {
  const samples = Object.entries(values).map(([each, count]): Sample => ["_total", { [label]: each }, count]);
  return { name: `annex_${name}`, type: "counter", help, samples };
}

/** Metrics whose names contain the name of an object, and the label for it. */
const named = [
  { pattern: /^cpu\.core\.(.+)\.(ratio)$/, prefix: "cpu_core", label: "core" },
  {
    pattern: /^network\.(.+)\.((?:in|out)_bytes_per_second)$/,
    prefix: "network_interface",
    label: "interface",
  },
  { pattern: /^process\.heap_space\.(.+)\.(used_bytes)$/, prefix: "process_heap_space", label: "space" },
];

function systemFamilies(system: SystemSample): Family[] {
  const families = new Map<string, Sample[]>();
  for (const [metric, value] of Object.entries(system)) {
    const { name, labels } = nameOf(metric);
    families.set(name, [...(families.get(name) ?? []), ["", labels, value]]);
  }
  return [...families].map(([name, samples]) => ({
    name: `annex_${name}`,
    type: "gauge",
    help: `Value of ${name.replaceAll("_", " ")} in the last second.`,
    samples,
  }));
}

function nameOf(metric: string): { name: string; labels: Labels } {
  for (const { pattern, prefix, label } of named) {
    const found = pattern.exec(metric);
    if (found) return { name: `${prefix}_${found[2]}`, labels: { [label]: found[1]! } };
  }
  return { name: metric.replace(/[^A-Za-z0-9]+/g, "_"), labels: {} };
}

function renderFamily({ name, type, help, samples }: Family, isOpenMetrics: boolean): string[] {
  if (samples.length === 0) return [];
  // In the older format, counters are declared under the name of their samples.
  const title = type === "counter" && !isOpenMetrics ? `${name}_total` : name;
  return [
    `# HELP ${title} ${help}`,
    `# TYPE ${title} ${type}`,
    ...samples.map(([suffix, labels, value]) => `${name}${suffix}${renderLabels(labels)} ${value}`),
  ];
}

function renderLabels(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escapeLabel(value)}"`);
  return pairs.length === 0 ? "" : `{${pairs.join(",")}}`;
}

function escapeLabel(value: string): string {
  return value.toWellFormed().replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
}
