/** The names that stand for a whole schedule, with the fields of Vixie cron. */
const shortcuts = new Map([
  ["@yearly", "0 0 1 1 *"],
  ["@annually", "0 0 1 1 *"],
  ["@monthly", "0 0 1 * *"],
  ["@weekly", "0 0 * * 0"],
  ["@daily", "0 0 * * *"],
  ["@midnight", "0 0 * * *"],
  ["@hourly", "0 * * * *"],
]);

/** Names that other crons support. */
const remedies = new Map([
  ["@reboot", "call the function after app.start() instead"],
  ["@every", "use a step such as */5 * * * * instead"],
  ["@every_minute", "use * * * * * instead"],
  ["@every_second", "a job runs at most once per minute"],
]);

/** Whether a schedule is a name such as `@daily` instead of five fields. */
export function isShortcut(text: string): boolean {
  return text.trimStart().startsWith("@");
}

/** The five fields of a shortcut, or the problem with it. */
export function expandShortcut(text: string): { readonly fields: string } | { readonly problem: string } {
  const [name = "", ...others] = text.trim().toLowerCase().split(/\s+/);
  const remedy = remedies.get(name);
  if (remedy) return { problem: `${name} is not supported; ${remedy}` };
  const fields = shortcuts.get(name);
  if (fields === undefined) {
    return { problem: `unknown shortcut; the shortcuts are ${[...shortcuts.keys()].join(", ")}` };
  }
  return others.length === 0
    ? { fields }
    : { problem: `${name} is a whole schedule; remove the text after it` };
}
