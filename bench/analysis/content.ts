/** How much a document tells: counts of operations. Speed without content says nothing. */
export interface Content {
  readonly operations: number;
  /** With a 404 among the responses. */
  readonly notFound: number;
  /** With a request body that has properties. */
  readonly bodies: number;
  /** … and the properties have types. */
  readonly typedBodies: number;
  /** With query parameters. */
  readonly queries: number;
  /** … of which one or more are known to be something else than text. */
  readonly typedQueries: number;
  /** With a schema for the response that is no error. */
  readonly responses: number;
}

interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly [keyword: string]: unknown;
}
type Media = Readonly<Record<string, { readonly schema?: Schema }>>;
interface Operation {
  readonly parameters?: readonly { readonly in: string; readonly schema?: Schema }[];
  readonly requestBody?: { readonly content?: Media };
  readonly responses?: Readonly<Record<string, { readonly content?: Media }>>;
}
export interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components?: { readonly schemas?: Readonly<Record<string, Schema>> };
}

const methods = ["get", "post", "put", "patch", "delete"];

export function countContent(document: Document): Content {
  const operations = Object.values(document.paths).flatMap((item) =>
    methods.flatMap((method) => item[method] ?? []),
  );
  const follow = (schema: Schema | undefined): Schema | undefined =>
    schema?.$ref ? follow(document.components?.schemas?.[schema.$ref.split("/").at(-1)!]) : schema;
  const count = (has: (operation: Operation) => boolean) => operations.filter(has).length;
  const bodyOf = ({ requestBody }: Operation) =>
    Object.values(follow(schemaIn(requestBody?.content))?.properties ?? {});
  const queryOf = ({ parameters = [] }: Operation) => parameters.filter((each) => each.in === "query");
  return {
    operations: operations.length,
    notFound: count(({ responses }) => responses?.["404"] !== undefined),
    bodies: count((operation) => bodyOf(operation).length > 0),
    typedBodies: count((operation) => bodyOf(operation).some(isTyped)),
    queries: count((operation) => queryOf(operation).length > 0),
    typedQueries: count((operation) =>
      queryOf(operation).some(({ schema }) => isMoreThanText(follow(schema))),
    ),
    responses: count(({ responses = {} }) =>
      Object.entries(responses).some(
        ([status, { content }]) => status < "3" && schemaIn(content) !== undefined,
      ),
    ),
  };
}

const schemaIn = (content: Media | undefined) => Object.values(content ?? {})[0]?.schema;
const isTyped = (schema: Schema) =>
  ["type", "$ref", "enum", "oneOf", "anyOf", "allOf"].some((key) => key in schema);
const isMoreThanText = (schema: Schema | undefined) =>
  schema !== undefined &&
  (schema.enum !== undefined || ["number", "integer", "boolean"].includes(schema.type ?? ""));
