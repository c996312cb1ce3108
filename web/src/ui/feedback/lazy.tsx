import type { ComponentChildren, ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Loading, Problem } from "./notice.tsx";

/** Loads a component when it is first rendered. Until then, `placeholder` is shown. */
export function lazily<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  placeholder: ComponentChildren = <Loading />,
): ComponentType<Props> {
  let Loaded: ComponentType<Props> | undefined;
  return function Lazy(props: Props) {
    const [, redraw] = useState(0);
    const [hasFailed, setFailed] = useState(false);
    useEffect(() => {
      if (Loaded) return;
      load().then(
        (component) => {
          Loaded = component;
          redraw((count) => count + 1);
        },
        () => setFailed(true),
      );
    }, []);
    if (Loaded) return <Loaded {...props} />;
    if (!hasFailed) return placeholder;
    // After an upgrade of the server, the files have other names.
    const error = new Error("This part could not be loaded. Reload the dashboard.");
    return <Problem error={error} retry={() => window.location.reload()} />;
  };
}
