import { useEffect, useState } from "preact/hooks";
import type { OpenApi } from "../explorer/openapi/document.ts";
import { documentPath } from "./site.ts";

interface LoadedDocument {
  readonly document?: OpenApi;
  readonly error?: Error;
  retry(): void;
}

/**
 * Loads the document of the version. When the user returns to the page, it is loaded again, because the source may have
 * changed meanwhile. An unchanged document is not sent again.
 */
export function useDocument(): LoadedDocument {
  const [state, setState] = useState<{ document?: OpenApi; error?: Error }>({});
  const [attempt, setAttempt] = useState(0);
  const retry = () => setAttempt((count) => count + 1);
  useEffect(() => {
    readDocument().then(
      (document) => setState((before) => (isSame(before.document, document) ? before : { document })),
      // A document that is shown stays, even if it is not current.
      (error: Error) => setState((before) => (before.document ? before : { error })),
    );
  }, [attempt]);
  useEffect(() => {
    const onReturn = () => void (document.visibilityState === "visible" && retry());
    document.addEventListener("visibilitychange", onReturn);
    return () => document.removeEventListener("visibilitychange", onReturn);
  }, []);
  return { ...state, retry };
}

function isSame(one: OpenApi | undefined, other: OpenApi): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

async function readDocument(): Promise<OpenApi> {
  const response = await fetch(documentPath).catch(() => {
    throw new Error("The document could not be loaded: the server cannot be reached.");
  });
  if (!response.ok)
    throw new Error(`The document could not be loaded: the server responded with ${response.status}.`);
  return (await response.json()) as OpenApi;
}
