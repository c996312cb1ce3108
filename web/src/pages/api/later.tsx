import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Loading, Problem } from "../../ui/notice.tsx";

/** A part of the page that is loaded when it is first needed. */
export function later<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  let loaded: ComponentType<Props> | undefined;
  return function Later(props: Props) {
    const [Part, setPart] = useState(() => loaded);
    const [error, setError] = useState<Error | undefined>(undefined);
    useEffect(() => {
      if (loaded) return;
      load().then(
        (part) => {
          loaded = part;
          setPart(() => part);
        },
        // A server with another version has other files.
        () => setError(new Error("This part could not be loaded. Load the dashboard anew.")),
      );
    }, []);
    if (error) return <Problem error={error} retry={() => window.location.reload()} />;
    return Part ? <Part {...props} /> : <Loading lines={8} />;
  };
}
