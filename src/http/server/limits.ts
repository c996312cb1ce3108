import { defaultsOf, type ValuesOf } from "../../lib/options/option-set.ts";
import { limitOptions } from "../options.ts";

/** Size limits and timeouts of the HTTP server (`limits` in `createApp`). */
export type ListenerLimits = ValuesOf<typeof limitOptions>;

/** The defaults, for programs without an application. */
export const listenerLimits: ListenerLimits = defaultsOf(limitOptions);
