import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Overview } from "../pages/overview/overview.tsx";
import type { PageName } from "../state/address.ts";
import { Loading, Problem } from "../ui/notice.tsx";

/** The overview is part of the initial bundle; other pages are loaded on demand. */
const loaders: Readonly<Record<Exclude<PageName, "overview">, () => Promise<ComponentType>>> = {
  requests: async () => (await import("../pages/requests/requests.tsx")).Requests,
  errors: async () => (await import("../pages/errors/errors.tsx")).Errors,
  visitors: async () => (await import("../pages/visitors/visitors.tsx")).Visitors,
  cron: async () => (await import("../pages/cron/cron.tsx")).Cron,
  logs: async () => (await import("../pages/logs/logs.tsx")).Logs,
  access: async () => (await import("../pages/access/access.tsx")).Access,
  api: async () => (await import("../pages/api/api.tsx")).Api,
  config: async () => (await import("../pages/config/config.tsx")).Config,
};

const loaded = new Map<PageName, ComponentType>([["overview", Overview]]);

export function Page({ name }: { name: PageName }) {
  const [, redraw] = useState(0);
  const [error, setError] = useState<Error | undefined>(undefined);
  useEffect(() => {
    setError(undefined);
    if (name === "overview" || loaded.has(name)) return;
    loaders[name]().then(
      (component) => {
        loaded.set(name, component);
        redraw((count) => count + 1);
      },
      // After an upgrade of the server, the files have other names.
      () =>
        setError(new Error("This page could not be loaded. The dashboard may have been updated; reload it.")),
    );
  }, [name]);
  const Component = loaded.get(name);
  if (Component) return <Component key={name} />;
  return error ? <Problem error={error} retry={() => window.location.reload()} /> : <Loading lines={8} />;
}
