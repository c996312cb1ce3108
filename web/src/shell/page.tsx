import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { Page } from "../pages/define-page.ts";
import { Loading, Problem } from "../ui/feedback/notice.tsx";

const loaded = new Map<string, ComponentType>();

/** A page, which is loaded when it is first shown. Render it with the page's name as key. */
export function PageView({ page }: { page: Page }) {
  const [{ result }, setResult] = useState(() => ({ result: loaded.get(page.name) ?? page.load() }));
  const [error, setError] = useState<Error | undefined>(undefined);
  useEffect(() => {
    if (!(result instanceof Promise)) return;
    result.then(
      (component) => {
        loaded.set(page.name, component);
        setResult({ result: component });
      },
      // After an upgrade of the server, the files have other names.
      () =>
        setError(new Error("This page could not be loaded. The dashboard may have been updated; reload it.")),
    );
  }, []);
  if (error) return <Problem error={error} retry={() => window.location.reload()} />;
  if (result instanceof Promise) return <Loading lines={8} />;
  const Component = result;
  return <Component />;
}
