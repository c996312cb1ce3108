import { env } from "node:process";

export const hookWord = process.env.ANNEX_GOLDEN_WORD ?? "canary-module";
export const settings = {
  word: process.env.ANNEX_GOLDEN_WORD || "canary-property",
  place: env.ANNEX_GOLDEN_PLACE ?? "canary-env",
};
export const fromEnv = (name: string, fallback: string) => {
  const value = process.env[name];
  return value === undefined ? fallback : value;
};
export function required(name: string, fallback: string): string {
  const value = process.env[name];
  if (value) return value;
  return fallback;
}
