import { createHash } from "node:crypto";
import type { Clock } from "../../lib/clock.ts";
import { createDocument } from "../openapi/document.ts";
import type { Analysis } from "../openapi/facts.ts";
import type { OpenAPIDocument, Server } from "../openapi/types.ts";
import type { Version } from "./version.ts";

/** Who asks for a document, as far as it shows in it. */
export interface Asker {
  /** The host by which the server was reached, with its port. */
  readonly host: string;
  readonly scheme: string;
}

export interface PublishedDocument {
  readonly body: string;
  readonly etag: string;
}

/** Documents that were made before, by label. */
export type StoredDocuments = ReadonlyMap<string, OpenAPIDocument>;

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
  /** They are used first; what is missing among them is made of the running routes. */
  stored: StoredDocuments = new Map();

  constructor(clock: Clock) {
    this.clock = clock;
  }

  publish(version: Version, { host, scheme }: Asker): PublishedDocument {
    const { pieces, digest } = this.template(version, scheme);
    const shown = JSON.stringify(host).slice(1, -1);
    return { body: pieces.join(shown), etag: `"${digest}-${digestOf(shown).slice(0, 8)}"` };
  }

  /** The document as it is written to a file: with the configured server, whoever may ask for it later. */
  createForFile({ config, registry, label }: Version): OpenAPIDocument {
    const { analysis } = this;
    const servers = isLocalhost(config.baseURL)
      ? [
          {
            url: `${new URL(config.baseURL).origin}/api/${label}`,
            description: describeServer(label, config.status),
          },
        ]
      : createServers(label, config.baseURL, config.status, "https");
    return createDocument({ config, endpoints: registry.list(), ...(analysis && { analysis }), servers });
  }

  /** The document as a value. */
  create(version: Version, { host, scheme }: Asker): OpenAPIDocument {
    return JSON.parse(this.publish(version, { host, scheme }).body) as OpenAPIDocument;
  }

  /** Whether the document comes from the running routes and their source, or from a file made before. */
  originOf({ label }: Version): "source" | "disk" {
    return this.stored.has(label) ? "disk" : "source";
  }

  /** When it was made. */
  madeAt(version: Version): Date {
    return this.template(version, "https").madeAt;
  }

  private template(version: Version, scheme: string): Template {
    const { config, registry, label } = version;
    const templates = this.kept.get(version) ?? new Map<string, Template>();
    this.kept.set(version, templates);
    const key = scheme === "http" ? "http" : "https";
    const known = templates.get(key);
    if (known?.isOf(version, this.analysis)) return known;
    const { revision } = registry;
    const { analysis } = this;
    const servers = createServers(label, config.baseURL, config.status, key);
    const stored = this.stored.get(label);
    const document = stored
      ? withServers(stored, servers)
      : createDocument({ config, endpoints: registry.list(), ...(analysis && { analysis }), servers });
    const text = JSON.stringify(document);
    const template: Template = {
      pieces: text.split(hostToken),
      digest: digestOf(text),
      madeAt: new Date(this.clock.now()),
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
function createServers(label: string, baseURL: string, status: string, scheme: "http" | "https"): Server[] {
  const description = describeServer(label, status);
  if (!isLocalhost(baseURL)) return [{ url: baseURL.replace(/\/+$/, ""), description }];
  const url = (protocol: string) => `${protocol}://${hostToken}/api/${label}`;
  const secure = { url: url("https"), description };
  return scheme === "https"
    ? [secure]
    : [secure, { url: url("http"), description: `${description}, without TLS` }];
}

function describeServer(label: string, status: string): string {
  return `API ${label} Server (${status})`;
}

/** A stored document with the servers of today, also where a path has its own. */
function withServers(document: OpenAPIDocument, servers: Server[]): OpenAPIDocument {
  const roots = servers.map((server) => ({
    ...server,
    url: server.url.replace(/^([a-z]+:\/\/[^/]+).*$/i, "$1"),
  }));
  const paths = Object.fromEntries(
    Object.entries(document.paths).map(([path, item]) => [
      path,
      item.servers ? { ...item, servers: roots } : item,
    ]),
  );
  return { ...document, servers, paths };
}

function isLocalhost(baseURL: string): boolean {
  return /^(localhost|127(\.\d+){3}|\[::1\])$/i.test(new URL(baseURL).hostname);
}

function digestOf(text: string): string {
  return createHash("sha256").update(text).digest("base64url").slice(0, 22);
}
