/**
 * The half of the harness in the process of a subject. Subjects are JavaScript, because Node would otherwise spend time on
 * the types of the subject.
 */
process.once("disconnect", () => process.exit());

const cpuMs = ({ user, system }) => (user + system) / 1_000;
let importMs = 0;

/** Imports what is measured. */
export async function load(name) {
  const before = process.cpuUsage();
  const loaded = await import(name);
  importMs += cpuMs(process.cpuUsage(before));
  return loaded;
}

/** Reports the port, and the use of resources whenever it is asked for. */
export function announce(port) {
  process.on("message", () =>
    process.send({ cpuMs: cpuMs(process.cpuUsage()), rss: process.memoryUsage.rss() }),
  );
  process.send({ port, importMs });
}
