import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Loading, Problem } from "../../ui/notice.tsx";
import type { ConfigAnswer } from "./shapes.ts";

type Part = ComponentType<{ config: ConfigAnswer }>;

let loaded: Part | undefined;

/** The tab that is looked at least is loaded when somebody goes there. */
export function Storage({ config }: { config: ConfigAnswer }) {
  const [Component, setComponent] = useState<Part | undefined>(() => loaded);
  const [error, setError] = useState<Error | undefined>(undefined);
  useEffect(() => {
    import("./storage.tsx").then(
      ({ StorageAndCost }) => {
        loaded = StorageAndCost;
        setComponent(() => StorageAndCost);
      },
      () => setError(new Error("This part could not be loaded. Load the dashboard anew.")),
    );
  }, []);
  if (Component) return <Component config={config} />;
  return error ? <Problem error={error} retry={() => window.location.reload()} /> : <Loading lines={8} />;
}
