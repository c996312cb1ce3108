// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

/** Each tag says something that cannot be: it is left out, and told. */
interface Job {
  /** @minimum 1 */
  name: string;
  /** @maximum many */
  runs: number;
  /** @minimum */
  failures: number;
  /**
   * @integer
   * @default 1.5
   */
  workers: number;
  /** @default deleted */
  state: "open" | "done";
  /** @default 4 */
  level: 1 | 2 | 3;
  /** @default null */
  owner: string;
  /** @default null */
  parent: number;
  /** @default yes */
  isPublic: boolean;
  /** @default {} */
  tags: string[];
  /** @example [1, 2] */
  counts: Record<string, number>;
  /** @uniqueItems maybe */
  steps: string[];
  /** @minItems 1 */
  label: string;
  /** @pattern /^job-/i */
  key: string;
  /**
   * @writeonly
   * @readonly
   */
  secret: string;
  /**
   * @readonly
   * @writeonly
   */
  id: string;
}

declare function find(): Job;

function getJob(e: RequestEvent) {
  return e.json(200, find());
}

export function routes(router: VersionedRouter): void {
  router.get("/job", getJob);
}
