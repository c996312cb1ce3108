export const door = "canary-held-by-module";
export const size = "20";
