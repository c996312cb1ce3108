import type { ComponentChildren, ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Loading, Problem } from "./notice.tsx";

/** A part of a page that is loaded when it is first shown. Until then, `placeholder` stands in its place. */
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
    // A server with another version has other files.
    const error = new Error("This part could not be loaded. Load the dashboard anew.");
    return <Problem error={error} retry={() => window.location.reload()} />;
  };
}
