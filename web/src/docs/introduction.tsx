import { useContext } from "preact/hooks";
import { CredentialFields } from "../explorer/auth/credential-fields.tsx";
import { schemesOf } from "../explorer/auth/schemes.ts";
import { Markdown } from "../explorer/markdown/markdown.tsx";
import { originsOf } from "../explorer/openapi/document.ts";
import { Reading } from "../explorer/reading.ts";
import { toneOfStatus } from "../explorer/version-status.ts";
import { CopyButton } from "../ui/controls/button.tsx";
import { Panel } from "../ui/panel.tsx";
import { Badge } from "../ui/status.tsx";
import * as site from "./site.ts";

/** What the API is, where it is, and how to sign in. */
export function Introduction() {
  const { document, isPrinted } = useContext(Reading);
  const { info } = document;
  const schemes = schemesOf(document, {});
  return (
    <>
      <section class="panel" aria-labelledby="docs-title">
        <div class="cluster baseline gap-8">
          <h1 id="docs-title">{info?.title ?? site.title}</h1>
          <Badge>{info?.version ?? site.version}</Badge>
          {info?.["x-status"] && <StatusBadge status={info["x-status"]} />}
        </div>
        {info?.["x-sunset"] && (
          <p class="warn">This version will be removed on {info["x-sunset"].slice(0, 10)}.</p>
        )}
        {info?.description && <Markdown text={info.description} class="prose" />}
        <Facts />
      </section>
      {schemes.length > 0 && !isPrinted && (
        <Panel
          title="Authentication"
          hint="Credentials are kept in this browser tab until it is closed. They are sent only with the requests that you send here."
        >
          <CredentialFields schemes={schemes} />
        </Panel>
      )}
    </>
  );
}

function StatusBadge({ status }: { status: string }) {
  return <Badge tone={toneOfStatus(status)}>{status}</Badge>;
}

function Facts() {
  const { document, version } = useContext(Reading);
  const { info, externalDocs } = document;
  const { contact, license, termsOfService } = info ?? {};
  return (
    <dl class="facts">
      {originsOf(document, version, window.location.href).map((origin) => (
        <div key={origin}>
          <dt>Server</dt>
          <dd class="cluster gap-4">
            <code>{origin}</code>
            <CopyButton text={origin} name={`Copy ${origin}`} />
          </dd>
        </div>
      ))}
      {contact && (
        <div>
          <dt>Contact</dt>
          <dd class="cluster gap-8">
            {contact.url ? <Away href={contact.url}>{contact.name ?? contact.url}</Away> : contact.name}
            {contact.email && <Away href={`mailto:${contact.email}`}>{contact.email}</Away>}
          </dd>
        </div>
      )}
      {license && (
        <div>
          <dt>License</dt>
          <dd>{license.url ? <Away href={license.url}>{license.name}</Away> : license.name}</dd>
        </div>
      )}
      {termsOfService && (
        <div>
          <dt>Terms of service</dt>
          <dd>
            <Away href={termsOfService}>{termsOfService}</Away>
          </dd>
        </div>
      )}
      {externalDocs && (
        <div>
          <dt>More</dt>
          <dd>
            <Away href={externalDocs.url}>{externalDocs.description ?? externalDocs.url}</Away>
          </dd>
        </div>
      )}
    </dl>
  );
}

/** A link that the document gives. Only the usual schemes: a script would run on this page. */
function Away({ href, children }: { href: string; children: string }) {
  if (!/^(https?:|mailto:)/i.test(href)) return <>{children}</>;
  return (
    <a href={href} rel="noreferrer">
      {children}
    </a>
  );
}
