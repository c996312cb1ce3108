/** The process of each test file imports this first. Its threads do not: each of them would take longer to start. */
import hooks from "node:async_hooks";

const minutes = 20;

setTimeout(() => {
  const open = process.getActiveResourcesInfo().join(", ");
  console.error(`${process.argv[1]} ran longer than ${minutes} minutes. Open: ${open}`);
  process.exit(1);
}, minutes * 60_000).unref();

// The test runner of Node tracks every promise, to find the test that an uncaught error belongs to. That takes a
// few percent of the time of a file. Without it, such an error fails the file instead of the test. `node --test` names
// the test.
const { createHook } = hooks;
const inactive: ReturnType<typeof createHook> = { enable: () => inactive, disable: () => inactive };
hooks.createHook = () => inactive;
await import("node:test");
hooks.createHook = createHook;
