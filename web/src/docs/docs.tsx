import { useEffect, useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { EndpointList } from "../explorer/endpoints/endpoint-list.tsx";
import type { OpenApi } from "../explorer/openapi/document.ts";
import { Reading, type ReadingContext } from "../explorer/reading.ts";
import { hrefHere, param } from "../state/address.ts";
import { Confirmation } from "../ui/feedback/dialog.tsx";
import { Loading, Problem } from "../ui/feedback/notice.tsx";
import { Bar } from "./bar.tsx";
import { Introduction } from "./introduction.tsx";
import { Missing } from "./missing.tsx";
import { OperationView } from "./operation.tsx";
import { findOperation, keyOf, type ListedOperation, listOperations } from "./operations.ts";
import { printWith } from "./print.tsx";
import { SchemaList } from "./schema-list.tsx";
import { SchemaPage } from "./schema-page.tsx";
import * as site from "./site.ts";
import { useDocument } from "./use-document.ts";

/** The documentation of one version, for all readers. */
export function Docs() {
  const { document, error, retry } = useDocument();
  return (
    <>
      <a class="skip" href="#main">
        Skip to content
      </a>
      <Bar />
      {document ? (
        <Explorer document={document} />
      ) : (
        <main class="docs-main" id="main">
          {error ? <Problem error={error} retry={retry} /> : <Loading lines={12} />}
        </main>
      )}
      <Confirmation />
    </>
  );
}

function Explorer({ document }: { document: OpenApi }) {
  const operations = useMemo(() => listOperations(document, site.version), [document]);
  const reading = useMemo(() => readingOf(document, operations), [document]);
  useEffect(() => printWith(reading, operations), [reading]);
  const [op, schema] = [param("op"), param("schema")];
  const operation = op === undefined ? undefined : findOperation(operations, op);
  const main = useFocusOnChange(op ?? schema);
  useTitle(operation?.summary || op || schema);
  return (
    <Reading.Provider value={reading}>
      <div class={op || schema ? "docs has-selection" : "docs"}>
        <nav class="docs-list stack gap-11" aria-label="Contents">
          <EndpointList operations={operations} chosen={operation?.route} />
          <SchemaList chosen={schema} />
        </nav>
        <main class="docs-main stack gap-11" id="main" ref={main} tabIndex={-1}>
          {operation && <OperationView key={operation.route} operation={operation} />}
          {!op && schema && <SchemaPage key={schema} name={schema} />}
          {!op && !schema && <Introduction />}
          {op && !operation && <Missing title={`${site.version} has no operation ${op}`} />}
        </main>
      </div>
    </Reading.Provider>
  );
}

function readingOf(document: OpenApi, operations: readonly ListedOperation[]): ReadingContext {
  const keyOfRoute = (route: string) => {
    const found = operations.find((each) => each.route === route);
    return found ? keyOf(found) : route;
  };
  return {
    document,
    version: site.version,
    links: {
      operation: (route) => hrefHere({ op: keyOfRoute(route), schema: undefined }),
      schema: (schema) => hrefHere({ schema, op: undefined }),
    },
  };
}

/** Moves the focus to what the user has selected, for keyboards and screen readers. */
function useFocusOnChange(selection: string | undefined) {
  const main = useRef<HTMLElement>(null);
  const before = useRef(selection);
  useLayoutEffect(() => {
    if (before.current === selection) return;
    before.current = selection;
    window.scrollTo(0, 0);
    main.current?.focus({ preventScroll: true });
  }, [selection]);
  return main;
}

function useTitle(part: string | undefined): void {
  // Together with the content, so that the title never belongs to the previous selection.
  useLayoutEffect(() => {
    const whole = `${site.title} ${site.version}`;
    window.document.title = part ? `${part} · ${whole}` : whole;
  }, [part]);
}
