import type { Clock } from "../../../lib/time/clock.ts";
import { noFindings } from "../model/facts.ts";
import { operationMethods } from "../model/methods.ts";
import type { OpenAPIDocument, Operation, PathItem, Server } from "../model/openapi.ts";
import type { Analysis } from "../openapi/analysis.ts";
import { createExternalDocs, createInfo, type DocumentParts, withoutSources } from "../openapi/document.ts";
import { DocumentWriter } from "../openapi/document-writer.ts";
import { isRelative } from "../openapi/places.ts";
import {
  type DocumentOrder,
  digestOf,
  hostGap,
  splitAtHost,
  type WrittenDocument,
} from "../openapi/written-document.ts";
import { toEndpointData } from "../registry/endpoint.ts";
import type { APIDocsConfig } from "./config.ts";
import type { Version } from "./version.ts";

/** The properties of a reader that affect the document. */
export interface Asker {
  /** The host and port from the request. */
  readonly host: string;
  readonly scheme: string;
  /** Superusers see source locations. Default false. */
  readonly isSuperuser?: boolean | undefined;
}

export interface PublishedDocument {
  readonly body: string;
  readonly etag: string;
}

/** Documents generated earlier, by label. */
export type StoredDocuments = ReadonlyMap<
  string,
  { readonly document: OpenAPIDocument; readonly madeAt: Date }
>;

/**
 * Creates the documents of versions as they are sent. The analysis thread, which has the findings, writes each document
 * once; the text is cached here.
 */
export class DocumentBuilder {
  /** The findings, if the source has been read. */
  analysis: Analysis | undefined;
  private readonly kept = new WeakMap<Version, Map<string, Template>>();
  private readonly clock: Clock;
  private readonly publishesSources: boolean;
  /** Preferred over new documents. Versions without a stored document use the running routes. */
  stored: StoredDocuments = new Map();

  /** `publishesSources`: whether all readers see source locations, not only superusers. */
  constructor(clock: Clock, publishesSources = false) {
    this.clock = clock;
    this.publishesSources = publishesSources;
  }

  async publish(version: Version, asker: Asker): Promise<PublishedDocument> {
    return fillIn(await this.template(version, asker).written, asker);
  }

  /** The document for a file: with the configured server, independent of the reader. */
  async createForFile(version: Version): Promise<OpenAPIDocument> {
    const { config } = version;
    const entry = createServers(version, "https");
    const { host, protocol } = new URL(config.baseURL);
    const settle = (servers: readonly Server[]) =>
      servers.map((server) => ({
        ...server,
        url: server.url.replace(`https://${hostGap}`, `${protocol}//${host}`),
      }));
    const places = { ...entry, servers: settle(entry.servers), roots: entry.roots && settle(entry.roots) };
    const { pieces } = await this.write(version, { ...places, showsSources: this.publishesSources });
    return JSON.parse(pieces.join("")) as OpenAPIDocument;
  }

  /** The document as an object. */
  async create(version: Version, asker: Asker): Promise<OpenAPIDocument> {
    return JSON.parse((await this.publish(version, asker)).body) as OpenAPIDocument;
  }

  /** The same without waiting: the most recent document, or one made from the routes alone. */
  createNow(version: Version, asker: Asker): OpenAPIDocument {
    const last = this.kept.get(version)?.get(this.keyOf(asker))?.last;
    const written = last ?? this.writeHere(version, this.orderFor(version, asker));
    return JSON.parse(fillIn(written, asker).body) as OpenAPIDocument;
  }

  /** Whether the document comes from the running routes and their source, or from a file generated earlier. */
  originOf({ label }: Version): "source" | "disk" {
    return this.stored.has(label) ? "disk" : "source";
  }

  /** When the document was generated. */
  async madeAt(version: Version, asker: Asker): Promise<Date> {
    const template = this.template(version, asker);
    await template.written;
    return template.madeAt;
  }

  private showsSources({ isSuperuser = false }: Asker): boolean {
    return isSuperuser || this.publishesSources;
  }

  /** Documents with the same key differ only in the host. */
  private keyOf(asker: Asker): string {
    return `${schemeOf(asker)} ${this.showsSources(asker)}`;
  }

  private template(version: Version, asker: Asker): Template {
    const templates = this.kept.get(version) ?? new Map<string, Template>();
    this.kept.set(version, templates);
    const key = this.keyOf(asker);
    const known = templates.get(key);
    if (known?.isOf(version, this.analysis)) return known;
    const template = this.createTemplate(version, asker, known?.last);
    templates.set(key, template);
    return template;
  }

  private createTemplate(version: Version, asker: Asker, before: WrittenDocument | undefined): Template {
    const { config, registry, label } = version;
    const { analysis } = this;
    const { revision } = registry;
    const order = this.orderFor(version, asker);
    const stored = this.stored.get(label);
    const written = stored
      ? Promise.resolve(
          splitAtHost(JSON.stringify(refresh(withSources(stored.document, order), version, order))),
        )
      : this.write(version, order);
    let isFailed = false;
    const template: Template = {
      last: before,
      // The document from before an edit is better than one made from the routes alone. Writing is retried.
      written: written.catch(() => {
        isFailed = true;
        return before ?? this.writeHere(version, order);
      }),
      madeAt: stored?.madeAt ?? new Date(this.clock.now()),
      isOf: (current, known) =>
        !isFailed && current.config === config && registry.revision === revision && known === analysis,
    };
    void template.written.then((text) => {
      if (!isFailed) template.last = text;
    });
    return template;
  }

  private orderFor(version: Version, asker: Asker): PlacedOrder {
    return { ...createServers(version, schemeOf(asker)), showsSources: this.showsSources(asker) };
  }

  /** Written by the analysis thread, if there are findings. */
  private async write(version: Version, order: PlacedOrder): Promise<WrittenDocument> {
    const { config, registry } = version;
    return this.analysis
      ? this.analysis.write({ ...order, config, endpoints: registry.list() })
      : this.writeHere(version, order);
  }

  private writeHere({ config, registry }: Version, order: PlacedOrder): WrittenDocument {
    const endpoints = registry.list().map((endpoint) => toEndpointData(endpoint));
    const findings = this.analysis && noFindings;
    return splitAtHost(new DocumentWriter().write({ ...order, config, endpoints, findings }));
  }
}

/** A file may contain source locations. */
function withSources(document: OpenAPIDocument, { showsSources = true }: PlacedOrder): OpenAPIDocument {
  return showsSources ? document : withoutSources(document);
}

type PlacedOrder = Omit<DocumentOrder, "config" | "endpoints">;

interface Template {
  readonly written: Promise<WrittenDocument>;
  /** The most recent document: `written` once it has resolved, the previous one until then. */
  last: WrittenDocument | undefined;
  readonly madeAt: Date;
  isOf(version: Version, analysis: Analysis | undefined): boolean;
}

function schemeOf({ scheme }: Asker): "http" | "https" {
  return scheme === "http" ? "http" : "https";
}

function fillIn({ pieces, digest }: WrittenDocument, { host }: Asker): PublishedDocument {
  const shown = JSON.stringify(host).slice(1, -1);
  return { body: pieces.join(shown), etag: `"${digest}-${digestOf(shown).slice(0, 8)}"` };
}

/** The base URL of the API: the configured one, or the host of the request if that is a localhost. */
function createServers({ label, prefix, config }: Version, scheme: "http" | "https"): ServerEntry {
  const { baseURL, status } = config;
  const description = `API ${label} Server (${status})`;
  if (!isLocalhost(baseURL)) {
    const url = baseURL.replace(/\/+$/, "");
    const root = url.slice(0, url.length - prefix.length);
    const roots = url.endsWith(prefix) ? [{ url: root, description }] : undefined;
    return { servers: [{ url, description }], prefix, roots };
  }
  const secure = { url: `https://${hostGap}`, description };
  const plain = { url: `http://${hostGap}`, description: `${description}, without TLS` };
  const roots = scheme === "https" ? [secure] : [secure, plain];
  return {
    servers: roots.map(({ url, ...rest }) => ({ url: url + prefix, ...rest })),
    prefix,
    roots,
  };
}

type ServerEntry = Pick<DocumentParts, "servers" | "prefix" | "roots">;

/** A stored document with current values: the servers, and the configuration as changed at run time. */
function refresh(
  document: OpenAPIDocument,
  version: Version,
  { servers, roots }: ServerEntry,
): OpenAPIDocument {
  const { config, prefix, createdAt, updatedAt } = version;
  const wasRelative = isRelative(document, prefix);
  const isChanged = updatedAt.getTime() !== createdAt.getTime();
  const paths = Object.entries(document.paths).map(([path, { servers: own, ...item }]) => {
    const whole = wasRelative && !own ? prefix + path : path;
    const below = roots && !own && whole.startsWith(`${prefix}/`) ? whole.slice(prefix.length) : undefined;
    const place = below === undefined && roots ? { servers: roots } : {};
    return [below ?? whole, { ...place, ...item, ...(isChanged && markAll(item, config)) }];
  });
  const { externalDocs: before, ...rest } = document;
  const externalDocs = isChanged ? createExternalDocs(config) : before;
  return {
    ...rest,
    info: isChanged ? createInfo(config) : document.info,
    servers: [...servers],
    paths: Object.fromEntries(paths),
    ...(externalDocs && { externalDocs }),
  };
}

/** A spec file may also have other fields beside the operations, such as `parameters`. */
function markAll(item: Readonly<Record<string, Operation | undefined>>, config: APIDocsConfig): PathItem {
  const operations = operationMethods.flatMap((method) => {
    const operation = item[method];
    return operation === undefined ? [] : [[method, mark(operation, config)]];
  });
  return Object.fromEntries(operations);
}

function mark({ deprecated: _, "x-sunset": __, ...operation }: Operation, config: APIDocsConfig): Operation {
  if (config.status !== "deprecated") return operation;
  return { ...operation, deprecated: true, ...(config.sunset && { "x-sunset": config.sunset }) };
}

function isLocalhost(baseURL: string): boolean {
  return /^(localhost|127(\.\d+){3}|\[::1\])$/i.test(new URL(baseURL).hostname);
}
