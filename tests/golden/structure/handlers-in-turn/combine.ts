import type { Handler } from "../../../../src/index.ts";

type Wrapper = (handler: Handler) => Handler;

/** Runs the steps one after the other, until one of them has answered. */
export function inTurn(...steps: Handler[]): Handler {
  return async (e) => {
    for (const step of steps) {
      await step(e);
      if (e.isAnswered) return;
    }
  };
}

/** Puts wrappers around a handler; the first is the outermost. */
export const compose =
  (...wrappers: Wrapper[]): Wrapper =>
  (handler) =>
    wrappers.reduceRight((inner, wrap) => wrap(inner), handler);

export const logged: Wrapper = (handler) => (e) => {
  e.app.logger.info(`${e.method} ${e.path}`);
  return handler(e);
};

const LOCALES = ["en", "de", "pt"];

export const withLocale: Wrapper = (handler) => async (e) => {
  const locale = e.query("locale") ?? "en";
  if (!LOCALES.includes(locale)) throw e.error(400, "This language is not available.");
  e.set("locale", locale);
  return handler(e);
};

export const cached =
  (seconds: number): Wrapper =>
  (handler) =>
  (e) => {
    e.setHeader("Cache-Control", `public, max-age=${seconds}`);
    return handler(e);
  };
