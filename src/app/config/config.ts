import { authOptions } from "../../auth/index.ts";
import type { Feature } from "../../feature/index.ts";
import type { ClientTarget } from "../../features/docs/index.ts";
import { limitOptions, proxyOptions, tlsOptions } from "../../http/index.ts";
import { groupsOf, type OptionSet, type ValuesOf } from "../../lib/options/option-set.ts";
import { OptionStore } from "../../lib/options/option-store.ts";
import { type Environment, resolveOptions } from "../../lib/options/resolve-options.ts";
import { features } from "../features.ts";
import type { AppOptions } from "./options.ts";
import { serverOptions, shutdownOptions } from "./server-options.ts";

/** The options that do not belong to a feature. */
export const baseOptions = [
  serverOptions,
  proxyOptions,
  tlsOptions,
  authOptions,
  shutdownOptions,
  limitOptions,
] as const;

/** The checked options of an application. */
export interface Config {
  /** All options, including those of features. */
  readonly options: OptionStore;
  readonly server: ValuesOf<typeof serverOptions> & ValuesOf<typeof proxyOptions>;
  readonly tls: ValuesOf<typeof tlsOptions>;
  readonly auth: ValuesOf<typeof authOptions>;
  readonly shutdown: ValuesOf<typeof shutdownOptions>;
  readonly limits: ValuesOf<typeof limitOptions>;
  /** Whether output to a terminal may have colors. */
  readonly allowsColors: boolean;
}

/** Checks the options. Throws a `StartError` that names an invalid option. `caller`: the module that has them. */
export function resolveConfig(
  given?: AppOptions,
  environment: Environment = process.env,
  installed: readonly Feature[] = features,
  caller?: string,
): Config {
  const sets = listOptionSets(installed);
  const options = new OptionStore(resolveOptions(sets, given, environment, caller), groupsOf(sets));
  return {
    options,
    server: options.live(serverOptions, proxyOptions).current,
    tls: options.live(tlsOptions).current,
    auth: options.live(authOptions).current,
    shutdown: options.live(shutdownOptions).current,
    limits: options.live(limitOptions).current,
    allowsColors: !environment.NO_COLOR,
  };
}

/** All sets of options, in the order of the Config page. */
export function listOptionSets(installed: readonly Feature[] = features): OptionSet[] {
  const sets: OptionSet[] = [...baseOptions, ...installed.flatMap(({ options }) => options)];
  const orders = new Map(groupsOf(sets).map(({ name, order }) => [name, order]));
  const orderOf = ({ group }: OptionSet) => orders.get(group) ?? Number.MAX_VALUE;
  return sets.sort((one, other) => orderOf(one) - orderOf(other));
}

/** The values of all environment variables. They may be secrets, so API documents must not contain them. */
export function environmentValues(environment: Environment = process.env): string[] {
  return Object.values(environment).filter((value) => value !== undefined);
}

/** The environment variable with which `annex dev --client` passes the clients that are kept current. */
export const clientsVariable = "ANNEX_CLIENTS";

/** Returns them once. Processes that the application starts must not inherit them, because their documents differ. */
export function takeClientTargets(environment: NodeJS.ProcessEnv = process.env): ClientTarget[] {
  const { [clientsVariable]: text } = environment;
  delete environment[clientsVariable];
  return text === undefined ? [] : (JSON.parse(text) as ClientTarget[]);
}
