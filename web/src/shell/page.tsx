import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { Page } from "../pages/define-page.ts";
import { connection } from "../state/live.ts";
import { Loading, Problem } from "../ui/feedback/notice.tsx";

const loaded = new Map<string, ComponentType>();

/** A page, which is loaded when it is first shown. Render it with the page's name as key. */
export function PageView({ page }: { page: Page }) {
  const [{ result }, setResult] = useState(() => ({ result: loaded.get(page.name) ?? page.load() }));
  const [error, setError] = useState<Error | undefined>(undefined);
  function tryAgain(): void {
    setError(undefined);
    setResult({ result: page.load() });
  }
  useEffect(() => {
    if (!(result instanceof Promise)) return;
    result.then(
      (component) => {
        loaded.set(page.name, component);
        setResult({ result: component });
      },
      () => setError(describeFailure()),
    );
  }, [result]);
  if (error) {
    const isReachable = connection.value !== "lost";
    return <Problem error={error} retry={() => (isReachable ? window.location.reload() : tryAgain())} />;
  }
  if (result instanceof Promise) return <Loading lines={8} />;
  const Component = result;
  return <Component />;
}

/** Reloading while the server is away would lose what the other pages show. */
function describeFailure(): Error {
  return new Error(
    connection.peek() === "lost"
      ? "This page has not been loaded before, and the server cannot be reached."
      : // After an upgrade of the server, the files have other names.
        "This page could not be loaded. The dashboard may have been updated; reload it.",
  );
}

/** After this time, the first page has its data. */
const prefetchAfterMs = 5_000;

/** Loads the other pages in the background, so that they open without the server. */
export function prefetchPages(pages: readonly Page[]): void {
  const saver = navigator as { connection?: { saveData?: boolean } };
  if (saver.connection?.saveData) return;
  setTimeout(async () => {
    for (const page of pages) {
      if (loaded.has(page.name)) continue;
      const component = await Promise.resolve(page.load()).catch(() => undefined);
      // The page itself reports the failure when it is opened.
      if (!component) return;
      loaded.set(page.name, component);
    }
  }, prefetchAfterMs);
}
