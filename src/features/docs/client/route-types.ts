import { http } from "../../../lib/node/http.ts";
import type { OpenAPIDocument } from "../model/openapi.ts";
import { deref, isObject, type Json, parametersOf } from "../specs/walk.ts";
import { chooseBodyType, dataTypeOf, isFormType, isJsonType } from "./media-types.ts";
import { describe, type SchemaTypes, writeMember } from "./schema-types.ts";
import { writeBlock, writeComment, writeKey } from "./source-text.ts";
import { single, type TypeText, unionOf, unknownType } from "./type-text.ts";

/** An operation of a document, with what it shares with the other operations of its path. */
export interface RouteOperation {
  readonly method: string;
  readonly path: string;
  readonly item: Json;
  readonly operation: Json;
}

/** Header parameters that `fetch` or the client sets. */
const ownHeaders = new Set([
  ...["accept", "authorization", "content-type"],
  ...[
    "accept-encoding",
    "connection",
    "content-length",
    "cookie",
    "host",
    "origin",
    "referer",
    "te",
    "upgrade",
  ],
]);

/** A body that is neither JSON nor a form. */
const rawBody = unionOf(
  ["string", "Blob", "ArrayBuffer", "Uint8Array", "ReadableStream<Uint8Array>"].map(single),
);

/** Writes the types of operations: what a call takes, and what it returns and throws. */
export class RouteTypes {
  private readonly document: Json;
  private readonly schemas: SchemaTypes;

  constructor(document: OpenAPIDocument, schemas: SchemaTypes) {
    this.document = document as unknown as Json;
    this.schemas = schemas;
  }

  /** The member of an operation in the interface of its method. */
  write(route: RouteOperation): string {
    const { path, operation } = route;
    const headers = this.parametersIn(route, "header");
    const members = [
      writeMember("request", single(writeBlock(this.requestMembers(route))), required),
      ...(headers.length > 0 ? [writeMember("headers", this.writeParameters(headers), required)] : []),
      writeMember("responses", single(writeBlock(this.successes(operation))), required),
      writeMember("errors", single(writeBlock(this.errors(operation))), required),
    ];
    return writeMember(writeKey(path), single(writeBlock(members)), {
      isRequired: true,
      comment: writeComment(describeOperation(operation)),
    });
  }

  private requestMembers(route: RouteOperation): string[] {
    const path = this.parametersIn(route, "path");
    const query = this.parametersIn(route, "query");
    const body = deref(this.document, route.operation.requestBody);
    return [
      ...(path.length > 0 ? [writeMember("path", this.writeParameters(path), required)] : []),
      ...(query.length > 0
        ? [
            writeMember("query", withUndefined(this.writeParameters(query), query.some(isRequired)), {
              isRequired: query.some(isRequired),
            }),
          ]
        : []),
      ...(isObject(body) ? [this.writeRequestBody(body)] : []),
    ];
  }

  private writeRequestBody(body: Json): string {
    const content = isObject(body.content) ? body.content : {};
    const type = chooseBodyType(Object.keys(content));
    const isNeeded = body.required === true;
    return writeMember("body", withUndefined(this.bodyType(content, type), isNeeded), {
      isRequired: isNeeded,
      comment: writeComment(describe(body)),
    });
  }

  private bodyType(content: Json, type: string | undefined): TypeText {
    if (type === undefined) return unknownType;
    if (!isJsonType(type) && !isFormType(type)) return rawBody;
    const schema = schemaOf(content[type]);
    if (isJsonType(type)) return this.schemas.typeOf(schema);
    const form = single(type === "multipart/form-data" ? "FormData" : "URLSearchParams");
    return unionOf([this.schemas.typeOf(schema), form]);
  }

  private parametersIn({ item, operation }: RouteOperation, place: string): Json[] {
    const found = parametersOf(this.document, item, operation).filter((parameter) => parameter.in === place);
    return place === "header"
      ? found.filter(({ name }) => !ownHeaders.has(String(name).toLowerCase()))
      : found;
  }

  private writeParameters(parameters: readonly Json[]): TypeText {
    const members = parameters.map((parameter) => {
      const type = this.schemas.typeOf(parameter.schema);
      const isNeeded = isRequired(parameter);
      // A number is usual as an ID.
      const accepted = parameter.in === "path" && type.text === "string" ? idType : type;
      return writeMember(writeKey(String(parameter.name)), withUndefined(accepted, isNeeded), {
        isRequired: isNeeded,
        comment: writeComment(describe(parameter)),
      });
    });
    return single(writeBlock(members));
  }

  /** A redirect is followed, and leads to a response that is not documented here. */
  private successes(operation: Json): string[] {
    const found = this.responsesOf(operation).filter(([status]) => /^[23]/.test(status) && status !== "304");
    if (found.length === 0) return [writeMember('"2XX"', unknownType, required)];
    const members = found.map(([status, response]) =>
      status.startsWith("3")
        ? writeMember('"3XX"', unknownType, required)
        : this.writeResponse(status, response, this.dataType(status, response)),
    );
    return [...new Set(members)];
  }

  private errors(operation: Json): string[] {
    const found = this.responsesOf(operation);
    const isOther = (status: string) => status === "default" || /^[45]XX$/i.test(status);
    const listed = found.filter(([status]) => /^[45]\d\d$/.test(status) || status === "304");
    const others = found.filter(([status]) => isOther(status));
    const otherType = unionOf(others.map(([, response]) => this.errorType(response)));
    return [
      ...listed.map(([status, response]) =>
        this.writeResponse(status, response, status === "304" ? undefinedType : this.errorType(response)),
      ),
      writeMember("default", otherType, required),
    ];
  }

  private writeResponse(status: string, response: Json, type: TypeText): string {
    const key = /^\d{3}$/.test(status) ? status : '"2XX"';
    const isUsual = response.description === http.STATUS_CODES[status];
    return writeMember(key, type, {
      isRequired: true,
      comment: isUsual ? "" : writeComment(describe(response)),
    });
  }

  private dataType(status: string, { content }: Json): TypeText {
    if (status === "204" || status === "205") return undefinedType;
    if (!isObject(content)) return unknownType;
    return unionOf(
      Object.entries(content).map(([type, media]) => {
        const data = dataTypeOf(type);
        return data === undefined ? this.schemas.typeOf(schemaOf(media)) : single(data);
      }),
    );
  }

  private errorType({ content }: Json): TypeText {
    if (!isObject(content)) return unknownType;
    return unionOf(
      Object.entries(content).map(([type, media]) =>
        isJsonType(type) ? this.schemas.typeOf(schemaOf(media)) : single("string"),
      ),
    );
  }

  private responsesOf({ responses }: Json): [status: string, response: Json][] {
    if (!isObject(responses)) return [];
    return Object.entries(responses).flatMap(([status, value]) => {
      const response = deref(this.document, value);
      return isObject(response) ? [[status, response] as [string, Json]] : [];
    });
  }
}

const required = { isRequired: true };

const undefinedType = single("undefined");

const idType = unionOf([single("string"), single("number")]);

const isRequired = (parameter: Json): boolean => parameter.required === true || parameter.in === "path";

/** With `exactOptionalPropertyTypes`, an optional member accepts `undefined` only if its type says so. */
function withUndefined(type: TypeText, isNeeded: boolean): TypeText {
  return isNeeded ? type : unionOf([type, undefinedType]);
}

function schemaOf(media: unknown): unknown {
  return isObject(media) ? media.schema : undefined;
}

function describeOperation({ summary, description, deprecated }: Json): ReturnType<typeof describe> {
  const texts = [summary, description].flatMap((text) =>
    typeof text === "string" && text.trim() !== "" ? [text.trim()] : [],
  );
  // A short description is also the summary.
  const [first, second] = texts;
  const isSame = first !== undefined && second?.startsWith(first.replace(/[.…]+$/, ""));
  return [...(isSame ? [second] : texts), deprecated === true ? { tag: "deprecated" } : undefined];
}
