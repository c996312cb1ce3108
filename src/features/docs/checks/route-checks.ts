import { relative } from "node:path";
import type { RouteCheck } from "../../../http/index.ts";
import { StartError } from "../../../lib/errors/start-error.ts";
import { messageOf } from "../../../lib/thrown.ts";
import { CHECK_IMPOSSIBLE, CHECK_PENDING } from "../errors.ts";
import type { Diagnostic } from "../model/facts.ts";
import type { Analysis } from "../openapi/analysis.ts";
import { routeOf } from "../operations.ts";
import { type Endpoint, isChecked } from "../registry/endpoint.ts";
import { readChecks, writeChecks } from "./check-files.ts";
import { loadChecks } from "./load.ts";

/** How long a request waits for the analysis, in development. */
const patienceMs = 30_000;

/**
 * Provides the checks of routes with `checked()`. In development, they are compiled from the findings of the analysis,
 * and requests wait for them. In production, they are read from the file that the build has written.
 */
export class RouteChecks {
  private readonly list: () => readonly Endpoint[];
  private readonly known = new Map<Endpoint, () => Promise<RouteCheck>>();
  private readonly learnt = Promise.withResolvers<void>();

  /** `list` returns all endpoints, checked or not. */
  constructor(list: () => readonly Endpoint[]) {
    this.list = list;
  }

  private get endpoints(): Endpoint[] {
    return this.list().filter((endpoint) => isChecked(endpoint.notes()));
  }

  /** Whether a route is checked. */
  get isNeeded(): boolean {
    return this.endpoints.length > 0;
  }

  /** Makes requests wait until the checks are known. `analyze` starts the analysis, unless it has started. */
  awaitAnalysis(analyze: () => void): void {
    for (const endpoint of this.endpoints) {
      endpoint.setCheck(async () => {
        analyze();
        await withDeadline(this.learnt.promise);
        return this.known.get(endpoint)!();
      });
    }
  }

  /** Compiles the checks, once types are known. Routes that cannot be checked reject all requests. */
  async learn(analysis: Analysis): Promise<void> {
    const { endpoints } = this;
    if (endpoints.length === 0 || analysis.level !== "exact") return;
    try {
      const possible = endpoints.filter((endpoint) => findObstacles(endpoint, analysis).length === 0);
      const { code } = await analysis.compile(possible);
      const checks = loadChecks(code, "annex-checks");
      for (const endpoint of endpoints) {
        const check = checks.get(routeOf(endpoint));
        this.set(endpoint, check ?? findObstacles(endpoint, analysis).map(describe).join(" "));
      }
    } catch (error) {
      // The analysis may have ended while it was asked.
      for (const endpoint of endpoints) this.set(endpoint, messageOf(error));
    }
    this.learnt.resolve();
  }

  /** Called when the analysis is complete. Without types, nothing can be checked. */
  giveUp(analysis: Analysis | undefined): void {
    for (const endpoint of this.endpoints)
      if (!this.known.has(endpoint)) this.set(endpoint, whyUnknown(analysis));
    this.learnt.resolve();
  }

  /** Reads the checks from the folder of the build. Throws if they are missing, or older than the source. */
  read(folder: string): void {
    const { endpoints } = this;
    if (endpoints.length === 0) return;
    const stored = readChecks(folder);
    const build = "Run: annex build --production";
    if (!stored) {
      const routes = listSome(endpoints.map(routeOf));
      throw new StartError(
        "CHECKS_MISSING",
        `${folder} contains no checks.cjs, so requests to ${routes} cannot be checked. ${build}`,
      );
    }
    const checks = loadChecks(stored.code, stored.file);
    const absent = endpoints.map(routeOf).filter((route) => !checks.has(route));
    const reason =
      stored.changed.length > 0
        ? `${listSome(stored.changed.map((path) => relative(process.cwd(), path)))} changed after it was written`
        : `it contains no check for ${listSome(absent)}`;
    if (stored.changed.length + absent.length > 0)
      throw new StartError("CHECKS_OUTDATED", `${stored.file} is older than the source: ${reason}. ${build}`);
    for (const endpoint of endpoints) endpoint.setCheck(checks.get(routeOf(endpoint)));
  }

  /** Writes the checks for production. Returns why routes cannot be checked; nothing is written then. */
  async write(folder: string, analysis: Analysis | undefined): Promise<string[]> {
    const { endpoints } = this;
    const problems = endpoints.flatMap((endpoint) =>
      findObstacles(endpoint, analysis).map((each) => `${describe(each)} (${routeOf(endpoint)})`),
    );
    if (problems.length === 0)
      writeChecks(folder, endpoints.length > 0 ? await analysis!.compile(endpoints) : undefined);
    return problems;
  }

  private set(endpoint: Endpoint, check: RouteCheck | string): void {
    const isCheck = typeof check === "object";
    const find = async () => {
      if (isCheck) return check;
      throw CHECK_IMPOSSIBLE(routeOf(endpoint), check);
    };
    this.known.set(endpoint, find);
    endpoint.setCheck(isCheck ? check : find);
  }
}

/** Why requests to an endpoint cannot be checked. Empty if they can. */
function findObstacles(
  endpoint: Endpoint,
  analysis: Analysis | undefined,
): Pick<Diagnostic, "message" | "file" | "line">[] {
  if (analysis?.level !== "exact") return [{ message: whyUnknown(analysis) }];
  const obstacles = analysis.diagnostics.filter(
    ({ routes = [], preventsCheck, isUnread }) =>
      (preventsCheck || isUnread) && routes.includes(routeOf(endpoint)),
  );
  if (obstacles.length > 0 || analysis.outlineOf(endpoint)) return obstacles;
  return [{ message: "The handler was not analyzed." }];
}

function whyUnknown(analysis: Analysis | undefined): string {
  const whole = analysis?.diagnostics.find(({ routes }) => routes === undefined);
  return whole?.message ?? "The source was not analyzed.";
}

function describe({ message, file, line }: Pick<Diagnostic, "message" | "file" | "line">): string {
  if (file === undefined) return message;
  return `${line === undefined ? file : `${file}:${line}`}: ${message}`;
}

function listSome(names: readonly string[]): string {
  const more = names.length - 3;
  return more > 0 ? `${names.slice(0, 3).join(", ")} and ${more} more` : names.join(", ");
}

async function withDeadline(promise: Promise<void>): Promise<void> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(CHECK_PENDING()), patienceMs);
  try {
    await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
