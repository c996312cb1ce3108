/**
 * Which tests of whole programs belong to which sources. Such a test starts an application or a process, so by its
 * imports every change below `src` affects it. A quick run takes those that are listed here for a changed file, and
 * leaves the others to the full run. A line applies to all files whose path begins with it.
 */
const table: Readonly<Record<string, readonly string[]>> = {
  "src/": ["import-graph"],
  "src/adapters/": ["attach/routes", "attach/late-routes", "attach/matrix"],
  "src/app/": ["lifecycle", "attach/application"],
  "src/auth/": ["auth-pages", "revocation"],
  "src/cli/commands/backup": ["backup"],
  "src/cli/commands/build": ["checked-build"],
  "src/cli/commands/client": ["client/command"],
  "src/cli/commands/dev": ["cli-dev"],
  "src/cli/commands/doctor": ["doctor"],
  "src/cli/commands/restore": ["backup"],
  "src/cli/commands/specs": ["cli-specs"],
  "src/cli/commands/worker": ["cli-worker"],
  "src/cli/": ["cli"],
  "src/feature/": ["mistakes"],
  "src/features/access/": ["access"],
  "src/features/cron/": ["cron-api", "cron-queue"],
  "src/features/dashboard/": ["saved-views"],
  "src/features/docs/analysis/": ["golden"],
  "src/features/docs/checks/": ["checked"],
  "src/features/docs/client/": ["client/calls"],
  "src/features/docs/openapi/": ["golden"],
  "src/features/docs/": ["docs-api"],
  "src/features/logging/": ["contract"],
  "src/features/metrics/": ["metrics"],
  "src/features/rate-limits/": ["rate-limits"],
  "src/features/settings/": ["settings", "settings-effects"],
  "src/features/visitors/": ["visitors"],
  "src/http/": ["every-request", "middleware", "stream-limits"],
  "src/index.": ["public-api", "entry"],
  "src/lib/errors/": ["documentation"],
  "src/lib/redaction/": ["secrets-in-logs"],
  "src/storage/": ["migrations", "readiness"],
  "web/src/": ["import-graph"],
  "web/src/data/": ["dashboard"],
  "web/src/docs/": ["docs-page"],
  "web/src/explorer/": ["docs-page"],
  "web/src/incident/": ["dashboard-on-call"],
  "web/src/main": ["dashboard"],
  "web/src/pages/config/storage/": ["dashboard-storage"],
  "web/src/query-bar/": ["dashboard-logs"],
  "web/src/records/": ["dashboard-logs"],
  "web/src/shell/": ["dashboard"],
  "web/src/state/": ["dashboard"],
  "web/src/styles/": ["dashboard-widths"],
  "web/src/trace/": ["dashboard-logs"],
  "web/src/ui/": ["dashboard-widths"],
  "tests/golden/": ["golden"],
  "docs/": ["documentation"],
  "templates/client/": ["client/calls"],
  "CONTRIBUTING.md": ["documentation"],
  "README.md": ["documentation"],
  "package.json": ["install"],
  "package-lock.json": ["install"],
};

/** The test that is named after the page, where there is one. */
function testsOfPage(file: string): string[] {
  const page = /^web\/src\/pages\/([\w-]+)\//.exec(file)?.[1];
  return page === undefined ? [] : [`dashboard-${page}`];
}

/** Returns paths. Those of pages without a test of their own do not exist. */
export function programTestsFor(file: string): string[] {
  const listed = Object.entries(table).flatMap(([start, names]) => (file.startsWith(start) ? names : []));
  return [...testsOfPage(file), ...listed].map(pathOf);
}

/** All lines, for the test that keeps them true. */
export function listProgramTests(): { readonly start: string; readonly tests: readonly string[] }[] {
  return Object.entries(table).map(([start, names]) => ({ start, tests: names.map(pathOf) }));
}

function pathOf(name: string): string {
  return `tests/${name}.test.ts`;
}
