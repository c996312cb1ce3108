/**
 * What a feature is: what it declares, such as its options, stores and reserved paths, and a function that creates it. Features do not
 * import each other. They meet through typed events and reports.
 *
 * ```ts
 * export const audit = defineFeature({
 *   name: "audit",
 *   create({ events, logger }) {
 *     events.on("job.changed", ({ kind, subject }) => logger.info(`${kind} ${subject}`));
 *     return {};
 *   },
 * });
 * ```
 */
export {
  createEvents,
  type EndedRun,
  type Events,
  type FeatureEvents,
  type JobChange,
  type SettingChange,
} from "./events.ts";
export {
  type AccountContext,
  type AccountObserver,
  type Counter,
  type DashboardLink,
  type DroppedData,
  defineFeature,
  type Feature,
  type FeatureContext,
  type FeatureInstance,
  type FeatureLogger,
  type HealthCondition,
  type HealthIssue,
  type LogOutput,
  type OwnOption,
  type PastIssue,
  type Registry,
  type Reports,
  type ServerState,
  type SharedBackground,
  type SharedContext,
  type Storage,
  type StoreState,
} from "./feature.ts";
