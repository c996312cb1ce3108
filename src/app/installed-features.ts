import type { Feature, FeatureInstance, SharedContext } from "../feature/index.ts";
import type { RootRouter, RouteTable } from "../http/index.ts";

/** Runs a step, more than once if the database cannot be reached. */
type Repeat = (step: () => Promise<void>) => Promise<void>;

/** The features of one application. */
export class InstalledFeatures {
  private readonly instances: ReadonlyMap<Feature, FeatureInstance>;
  private readonly logger: SharedContext["logger"];

  constructor(features: readonly Feature[], context: SharedContext) {
    this.logger = context.logger;
    this.instances = new Map(features.map((feature) => [feature, feature.create(context)]));
  }

  /** What the application uses of a feature. `undefined` if it is not installed. */
  find<Instance extends FeatureInstance>(feature: Feature<Instance>): Instance | undefined {
    // The map has what this feature created.
    return this.instances.get(feature) as Instance | undefined;
  }

  /** What the application uses of a feature. Throws if it is not installed. */
  demand<Instance extends FeatureInstance>(feature: Feature<Instance>): Instance {
    const instance = this.find(feature);
    if (instance) return instance;
    throw new Error(`The feature "${feature.name}" is not installed. Add it to the list of features.`);
  }

  reserve(routes: RouteTable): void {
    for (const { reserves } of this.instances.keys())
      for (const prefix of reserves) routes.reserve(prefix, "Annex");
  }

  mount(routes: RouteTable): void {
    for (const instance of this.instances.values()) instance.mount?.(routes.router("Annex"));
  }

  async open(repeat: Repeat): Promise<void> {
    for (const instance of this.instances.values()) await repeat(async () => instance.open?.());
  }

  /** The router for the routes of the application. */
  serve(router: RootRouter): RootRouter {
    return [...this.instances.values()].reduce((inner, { serve }) => serve?.(inner) ?? inner, router);
  }

  ready(isListening: boolean): void {
    for (const instance of this.instances.values()) instance.ready?.(isListening);
  }

  async start(repeat: Repeat): Promise<void> {
    for (const instance of this.instances.values()) await repeat(async () => instance.start?.());
  }

  async stop(graceMs: number): Promise<void> {
    const deadline = performance.now() + graceMs;
    await this.endAll("stop", ({ stop }) => stop?.(Math.max(0, deadline - performance.now())));
  }

  async close(): Promise<void> {
    await this.endAll("close", ({ close }) => close?.());
  }

  /** A feature that fails must not keep the others, or the database, from closing. */
  private async endAll(
    step: string,
    end: (instance: FeatureInstance) => Promise<void> | void | undefined,
  ): Promise<void> {
    for (const [{ name }, instance] of [...this.instances].reverse()) {
      try {
        await end(instance);
      } catch (error) {
        this.logger.error(`Failed to ${step} the feature "${name}"`, { error });
      }
    }
  }
}
