import { useContext, useLayoutEffect } from "preact/hooks";
import type { ApiOperation, ApiVersion, Diagnostic } from "../../../../../src/features/docs/wire.ts";
import { type NamedScheme, placeOf, schemesOf } from "../../../explorer/auth/schemes.ts";
import { OperationBadges, Path } from "../../../explorer/endpoints/operation-name.tsx";
import { Markdown } from "../../../explorer/markdown/markdown.tsx";
import type { OpenApi } from "../../../explorer/openapi/document.ts";
import { documentedRoute, operationsOf } from "../../../explorer/openapi/document.ts";
import { Reading } from "../../../explorer/reading.ts";
import { RequestForm } from "../../../explorer/request/request-form.tsx";
import { Responses } from "../../../explorer/responses.tsx";
import { hrefTo, param } from "../../../state/address.ts";
import type { Query } from "../../../state/query.ts";
import { CopyButton } from "../../../ui/controls/button.tsx";
import { Loaded } from "../../../ui/feedback/notice.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { Method } from "../../../ui/status.tsx";
import { placeOf as sourceOf } from "../diagnostics/causes.ts";
import { TextWithCode } from "../text-with-code.tsx";
import { OperationMetrics } from "./operation-metrics.tsx";
import { identityOf, Sender, sender } from "./sender.tsx";

interface OperationProps {
  readonly operation: ApiOperation;
  readonly version: ApiVersion;
  readonly document: Query<OpenApi>;
  readonly diagnostics: readonly Diagnostic[];
  /** Whether the user has just selected it, so it takes the focus. */
  readonly takesFocus: boolean;
}

const titleId = "operation-title";

/** One operation: description, metrics, parameters, responses, and a form to call it. */
export function OperationView({ operation, version, document, diagnostics, takesFocus }: OperationProps) {
  useLayoutEffect(() => {
    if (takesFocus) window.document.getElementById(titleId)?.focus();
  }, []);
  const isRead = !diagnostics.some(({ unread }) => unread);
  return (
    <article class="operation stack gap-11" aria-labelledby={titleId}>
      <Head operation={operation} version={version} document={document.data} diagnostics={diagnostics} />
      <OperationMetrics route={operation.route} />
      {version.enabled ? (
        <Loaded query={document} lines={8}>
          {() => <Described operation={operation} isRead={isRead} />}
        </Loaded>
      ) : (
        <Described operation={operation} isRead={false} />
      )}
    </article>
  );
}

interface DescribedProps {
  readonly operation: ApiOperation;
  /** Whether the document contains more than the route. */
  readonly isRead: boolean;
}

function Described({ operation, isRead }: DescribedProps) {
  const { document, version } = useContext(Reading);
  const described = operationsOf(document, version).get(documentedRoute(operation.route)) ?? {};
  // When the analysis progresses, the operation may get a body.
  const bodyTypes = Object.keys(described.requestBody?.content ?? {}).join();
  const known = schemesOf(document, described);
  const schemes = known.length > 0 ? known : [ownScheme];
  const isSigned = operation.auth !== "none" || sender.value === "credentials";
  return (
    <>
      <RequestForm
        key={bodyTypes}
        operation={operation}
        described={described}
        isRead={isRead}
        origin={window.location.origin}
        identity={identityOf(schemes)}
        places={isSigned ? schemes.map(placeOf) : []}
      >
        <Sender auth={operation.auth} schemes={schemes} />
      </RequestForm>
      {described.responses && <Responses responses={described.responses} />}
    </>
  );
}

/** Superusers can use the token of any superuser, also where the document requires nothing. */
const ownScheme: NamedScheme = { name: "bearerAuth", scheme: { type: "http", scheme: "bearer" } };

interface HeadProps {
  readonly operation: ApiOperation;
  readonly version: ApiVersion;
  readonly document: OpenApi | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

function Head({ operation, version, document, diagnostics }: HeadProps) {
  const { method, path, route, summary, operation_id } = operation;
  const described = document && operationsOf(document, version.version).get(documentedRoute(route));
  const text = described?.description ?? summary;
  const source = described?.["x-source"];
  const listHref = hrefTo("api", { version: version.version, q: param("q") });
  return (
    <header class="panel operation-head gap-6">
      <a class="operation-back link-row flipped" href={listHref}>
        <Icon name="right" />
        All endpoints of {version.version}
      </a>
      <div class="operation-name row">
        <h2 id={titleId} tabIndex={-1}>
          <Method method={method} /> <Path path={path} version={version.version} />
        </h2>
        <CopyButton text={path} name="Copy the path" />
        <a class="button ghost operation-close push" title="Close" href={listHref}>
          <Icon name="close" label="Close and return to all endpoints" />
        </a>
      </div>
      {text && <Markdown text={text} class="operation-text prose" />}
      <div class="cluster gap-8 quiet">
        <OperationBadges operation={operation} />
        {operation_id && <code title="The operation ID">{operation_id}</code>}
        {source && (
          <span class="row inline gap-2">
            <code title="Where the handler is">{source}</code>
            <CopyButton text={source} name="Copy the source location" />
          </span>
        )}
      </div>
      <DocumentNote operation={operation} version={version} />
      <DiagnosticsNote points={diagnostics} version={version.version} />
    </header>
  );
}

function DocumentNote({ operation, version }: { operation: ApiOperation; version: ApiVersion }) {
  if (version.enabled && operation.documented) return null;
  return (
    <p class="note">
      <Icon name="info" />
      {version.enabled
        ? "The document of this version is older than this route and does not contain it. The route still works."
        : "The documentation of this version is disabled, so it has no document. Its routes still work."}
    </p>
  );
}

/** Why the source was not analyzed, or how many points could not be resolved. */
function DiagnosticsNote({ points, version }: { points: readonly Diagnostic[]; version: string }) {
  const count = points.length;
  const unread = points.find((point) => point.unread);
  if (count === 0) return null;
  if (unread)
    return (
      <p class="note warn">
        <Icon name="warn" />
        <span>
          <TextWithCode text={unread.message} /> <code>{sourceOf(unread)}</code>
        </span>
      </p>
    );
  return (
    <p class="note warn">
      <Icon name="warn" />
      <span>
        The analysis reported {count === 1 ? "one diagnostic" : `${count} diagnostics`} here, so the
        documentation below may be incomplete.{" "}
        <a href={hrefTo("api", { version, tab: "open" })}>Show details</a>
      </span>
    </p>
  );
}
