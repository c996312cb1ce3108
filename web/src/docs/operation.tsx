import { useContext } from "preact/hooks";
import { CredentialFields } from "../explorer/auth/credential-fields.tsx";
import { credentialsFor } from "../explorer/auth/credentials.ts";
import { type NamedScheme, placeOf, requiresAuth, schemesOf } from "../explorer/auth/schemes.ts";
import { OperationBadges, Path } from "../explorer/endpoints/operation-name.tsx";
import { Markdown } from "../explorer/markdown/markdown.tsx";
import { type Operation, originsOf } from "../explorer/openapi/document.ts";
import { Reading } from "../explorer/reading.ts";
import { RequestForm } from "../explorer/request/request-form.tsx";
import { Responses } from "../explorer/responses.tsx";
import { hrefHere } from "../state/address.ts";
import { CopyButton } from "../ui/controls/button.tsx";
import { Icon } from "../ui/icon.tsx";
import { Method } from "../ui/status.tsx";
import type { ListedOperation } from "./operations.ts";
import * as site from "./site.ts";

/** One operation: description, a form to call it, and responses. */
export function OperationView({ operation }: { operation: ListedOperation }) {
  const { document, version } = useContext(Reading);
  const { described } = operation;
  const schemes = schemesOf(document, described);
  return (
    <article class="operation stack gap-11" aria-labelledby="operation-title">
      <OperationHead operation={operation} />
      <RequestForm
        operation={operation}
        described={described}
        isRead
        origin={originsOf(document, version, window.location.href)[0]!}
        identity={{ credentials: credentialsFor(schemes), sendsCookies: true }}
        places={requiresAuth(described) ? schemes.map(placeOf) : []}
      >
        {schemes.length > 0 && <Authentication described={described} schemes={schemes} />}
      </RequestForm>
      {described.responses && <Responses responses={described.responses} />}
    </article>
  );
}

export function OperationHead({ operation }: { operation: ListedOperation }) {
  const { version, links, isPrinted } = useContext(Reading);
  const { method, path, route, summary, operation_id, described } = operation;
  const text = described.description ?? summary;
  const Title = isPrinted ? "h2" : "h1";
  return (
    <header class="panel operation-head gap-6">
      {!isPrinted && (
        <a class="operation-back link-row flipped" href={hrefHere({ op: undefined })}>
          <Icon name="right" />
          All endpoints of {site.version}
        </a>
      )}
      <div class="operation-name row">
        <Title {...(!isPrinted && { id: "operation-title" })}>
          <Method method={method} /> <Path path={path} version={version} />
        </Title>
        {!isPrinted && (
          <CopyButton
            text={() => new URL(links.operation(route), window.location.href).href}
            name="Copy a link to this operation"
          />
        )}
      </div>
      {text && <Markdown text={text} class="operation-text prose" />}
      <div class="cluster gap-8 quiet">
        <OperationBadges operation={operation} />
        {operation_id && <code title="The operation ID">{operation_id}</code>}
        {described["x-sunset"] && (
          <span class="warn">Will be removed on {described["x-sunset"].slice(0, 10)}</span>
        )}
      </div>
    </header>
  );
}

interface AuthenticationProps {
  readonly described: Operation;
  readonly schemes: readonly NamedScheme[];
}

function Authentication({ described, schemes }: AuthenticationProps) {
  return (
    <div class="stack gap-8">
      <div class="cluster gap-8">
        <h3>Authentication</h3>
        <p class="hint">
          {requiresAuth(described) ? "Required." : "Optional."} Kept in this browser tab until it is closed.
        </p>
      </div>
      <CredentialFields schemes={schemes} />
    </div>
  );
}
