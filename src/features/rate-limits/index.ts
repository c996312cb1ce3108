import { defineFeature } from "../../feature/index.ts";
import { createCountStore } from "./count-store.ts";
import { type Exchange, startExchange } from "./exchange.ts";
import { nameLimiters } from "./named-limiters.ts";
import { rateLimitStore } from "./tables.ts";

/**
 * Rate limits across instances. The middleware `rateLimit` counts in memory. If the instances share a database, this
 * feature exchanges their counts, a few times per second at most and never on the path of a request.
 *
 * ```ts
 * const limiters = nameLimiters(listener.routes.listMiddleware());
 * const exchange = startExchange({ store: createCountStore(database), clock, limiters, onProblem });
 * await exchange.close();
 * ```
 */
export const rateLimits = defineFeature({
  name: "rate-limits",
  stores: [rateLimitStore],
  options: [],
  create({ clock, logger, server, storage }) {
    let exchange: Exchange | undefined;
    const onProblem = (error: unknown) => {
      if (error === undefined) logger.info("Rate limits are shared between instances again");
      else logger.warn("Failed to share rate limits; each instance counts alone", { error });
    };
    return {
      ready() {
        const limiters = nameLimiters(server.listMiddleware());
        if (!storage.isShared || limiters.length === 0) return;
        exchange = startExchange({ store: createCountStore(storage.database), clock, limiters, onProblem });
      },
      async close() {
        await exchange?.close();
      },
    };
  },
});
