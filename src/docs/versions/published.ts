import { createHash } from "node:crypto";
import type { Clock } from "../../lib/clock.ts";
import { createDocument, type DocumentParts, withoutSources } from "../openapi/document.ts";
import type { Analysis } from "../openapi/facts.ts";
import { isRelative } from "../openapi/places.ts";
import type { OpenAPIDocument, Operation, Server } from "../openapi/types.ts";
import type { APIDocsConfig } from "./config.ts";
import { prefixOf, type Version } from "./version.ts";

/** Who asks for a document, as far as it shows in it. */
export interface Asker {
  /** The host by which the server was reached, with its port. */
  readonly host: string;
  readonly scheme: string;
  /** Superusers see where in the source things are. Default: the reader is anyone. */
  readonly isSuperuser?: boolean | undefined;
}

export interface PublishedDocument {
  readonly body: string;
  readonly etag: string;
}

/** Documents that were made before, by label. */
export type StoredDocuments = ReadonlyMap<
  string,
  { readonly document: OpenAPIDocument; readonly madeAt: Date }
>;

/** Stands for the host while a document waits for somebody to ask for it. No host can be spelled like this. */
const hostToken = "\u{10FFFD}host\u{10FFFD}";

/**
 * The documents of versions as they are sent. Each is built once and kept as text with gaps for the host, which is all
 * that differs from one request to the next.
 */
export class DocumentPress {
  /** What the source told, if it has been read. */
  analysis: Analysis | undefined;
  private readonly kept = new WeakMap<Version, Map<string, Template>>();
  private readonly clock: Clock;
  private readonly publishesSources: boolean;
  /** They are used first; what is missing among them is made of the running routes. */
  stored: StoredDocuments = new Map();

  /** `publishesSources`: whether everyone sees where in the source things are, and not superusers alone. */
  constructor(clock: Clock, publishesSources = false) {
    this.clock = clock;
    this.publishesSources = publishesSources;
  }

  publish(version: Version, { host, scheme, isSuperuser = false }: Asker): PublishedDocument {
    const { pieces, digest } = this.template(version, scheme, isSuperuser || this.publishesSources);
    const shown = JSON.stringify(host).slice(1, -1);
    return { body: pieces.join(shown), etag: `"${digest}-${digestOf(shown).slice(0, 8)}"` };
  }

  /** The document as it is written to a file: with the configured server, whoever may ask for it later. */
  createForFile({ config, registry, label }: Version): OpenAPIDocument {
    const entry = createServers(label, config, "https");
    const { host, protocol } = new URL(config.baseURL);
    const settle = (servers: readonly Server[]) =>
      servers.map((server) => ({
        ...server,
        url: server.url.replace(`https://${hostToken}`, `${protocol}//${host}`),
      }));
    const places = { ...entry, servers: settle(entry.servers), roots: entry.roots && settle(entry.roots) };
    const document = createDocument({ config, endpoints: registry.list(), ...this.sourceParts(), ...places });
    return this.publishesSources ? document : withoutSources(document);
  }

  /** The document as a value. */
  create(version: Version, asker: Asker): OpenAPIDocument {
    return JSON.parse(this.publish(version, asker).body) as OpenAPIDocument;
  }

  /** Whether the document comes from the running routes and their source, or from a file made before. */
  originOf({ label }: Version): "source" | "disk" {
    return this.stored.has(label) ? "disk" : "source";
  }

  /** When it was made. */
  madeAt(version: Version): Date {
    return this.template(version, "https", this.publishesSources).madeAt;
  }

  private sourceParts(): Pick<DocumentParts, "analysis"> {
    const { analysis } = this;
    return { ...(analysis && { analysis }) };
  }

  private template(version: Version, scheme: string, showsSources: boolean): Template {
    const { config, registry, label } = version;
    const templates = this.kept.get(version) ?? new Map<string, Template>();
    this.kept.set(version, templates);
    const secure = scheme === "http" ? "http" : "https";
    const key = showsSources ? `${secure} with sources` : secure;
    const known = templates.get(key);
    if (known?.isOf(version, this.analysis)) return known;
    const { revision } = registry;
    const { analysis } = this;
    const entry = createServers(label, config, secure);
    const stored = this.stored.get(label);
    const document = stored
      ? refresh(stored.document, version, entry)
      : createDocument({ config, endpoints: registry.list(), ...this.sourceParts(), ...entry });
    const text = JSON.stringify(showsSources ? document : withoutSources(document));
    const template: Template = {
      pieces: text.split(hostToken),
      digest: digestOf(text),
      madeAt: stored?.madeAt ?? new Date(this.clock.now()),
      isOf: (current, known) =>
        current.config === config && current.registry.revision === revision && known === analysis,
    };
    templates.set(key, template);
    return template;
  }
}

interface Template {
  readonly pieces: readonly string[];
  readonly digest: string;
  readonly madeAt: Date;
  isOf(version: Version, analysis: Analysis | undefined): boolean;
}

/** Where the API is reached: as configured, or when that is a localhost, wherever the document was asked for. */
function createServers(
  label: string,
  { baseURL, status }: APIDocsConfig,
  scheme: "http" | "https",
): ServerEntry {
  const prefix = prefixOf(label);
  const description = `API ${label} Server (${status})`;
  if (!isLocalhost(baseURL)) {
    const url = baseURL.replace(/\/+$/, "");
    const roots = url.endsWith(prefix) ? [{ url: url.slice(0, -prefix.length), description }] : undefined;
    return { servers: [{ url, description }], prefix, roots };
  }
  const secure = { url: `https://${hostToken}`, description };
  const plain = { url: `http://${hostToken}`, description: `${description}, without TLS` };
  const roots = scheme === "https" ? [secure] : [secure, plain];
  return {
    servers: roots.map(({ url, ...rest }) => ({ url: url + prefix, ...rest })),
    prefix,
    roots,
  };
}

type ServerEntry = Pick<DocumentParts, "servers" | "prefix" | "roots">;

/** A stored document with what has changed since: the servers, and what the configuration was changed to at run time. */
function refresh(
  document: OpenAPIDocument,
  version: Version,
  { servers, roots }: ServerEntry,
): OpenAPIDocument {
  const { config, label, createdAt, updatedAt } = version;
  const prefix = prefixOf(label);
  const wasRelative = isRelative(document, prefix);
  const isChanged = updatedAt.getTime() !== createdAt.getTime();
  const paths = Object.entries(document.paths).map(([path, { servers: own, ...operations }]) => {
    const whole = wasRelative && !own ? prefix + path : path;
    const below = roots && !own && whole.startsWith(`${prefix}/`) ? whole.slice(prefix.length) : undefined;
    const marked = Object.entries(operations).map(([method, operation]) => [
      method,
      isChanged ? mark(operation, config) : operation,
    ]);
    const place = below === undefined && roots ? { servers: roots } : {};
    return [below ?? whole, { ...place, ...Object.fromEntries(marked) }];
  });
  const told = isChanged ? createDocument({ config, endpoints: [], servers }) : document;
  const { externalDocs: _, ...rest } = document;
  return {
    ...rest,
    info: told.info,
    servers: [...servers],
    paths: Object.fromEntries(paths),
    ...(told.externalDocs && { externalDocs: told.externalDocs }),
  };
}

function mark({ deprecated: _, "x-sunset": __, ...operation }: Operation, config: APIDocsConfig): Operation {
  if (config.status !== "deprecated") return operation;
  return { ...operation, deprecated: true, ...(config.sunset && { "x-sunset": config.sunset }) };
}

function isLocalhost(baseURL: string): boolean {
  return /^(localhost|127(\.\d+){3}|\[::1\])$/i.test(new URL(baseURL).hostname);
}

function digestOf(text: string): string {
  return createHash("sha256").update(text).digest("base64url").slice(0, 22);
}
