import type { Body } from "../draft/draft.ts";
import { type SampleRequest, type StringSyntax, textCode, urlCode, variablesOf } from "./sample-request.ts";

const quote = (value: string): string => JSON.stringify(value);

/** Without spaces around the operator, as gofmt writes arguments. */
const syntax: StringSyntax = {
  quote,
  read: (variable) => `os.Getenv("${variable}")`,
  encode: (expression) => `url.QueryEscape(${expression})`,
  plus: "+",
};

/** A program that uses the standard library only. */
export function toGo(sample: SampleRequest): string {
  const { method, query, headers, body } = sample;
  const made = bodyCode(body);
  const imports = ["fmt", "io", "net/http", ...made.imports];
  if (variablesOf(sample).length > 0) imports.push("os");
  if (query.length > 0) imports.push("net/url");
  const setHeaders = [
    ...headers.map(([name, value]) => [quote(name), textCode(value, syntax)] as const),
    ...made.headers,
  ];
  return [
    "package main",
    "",
    "import (",
    ...[...new Set(imports)].sort().map((name) => `\t"${name}"`),
    ")",
    "",
    "func main() {",
    ...made.lines.map(indent),
    `\treq, err := http.NewRequest(${quote(method)}, ${urlCode(sample, syntax)}, ${made.reader})`,
    ...indented(check),
    ...setHeaders.map(([name, value]) => `\treq.Header.Set(${name}, ${value})`),
    "\tresp, err := http.DefaultClient.Do(req)",
    ...indented(check),
    "\tdefer resp.Body.Close()",
    "\tbody, err := io.ReadAll(resp.Body)",
    ...indented(check),
    "\tfmt.Println(resp.StatusCode, string(body))",
    "}",
  ].join("\n");
}

const check = ["if err != nil {", "\tpanic(err)", "}"];
const indent = (line: string) => (line === "" ? "" : `\t${line}`);
const indented = (lines: readonly string[]) => lines.map(indent);

interface BodyCode {
  readonly imports: readonly string[];
  readonly lines: readonly string[];
  /** The expression for the reader of the body. */
  readonly reader: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
}

function bodyCode(body: Body | undefined): BodyCode {
  if (!body) return { imports: [], lines: [], reader: "nil", headers: [] };
  if (body.kind === "text") {
    return {
      imports: ["strings"],
      lines: [],
      reader: `strings.NewReader(${longText(body.text)})`,
      headers: [],
    };
  }
  if (body.kind === "file") {
    const lines = [`file, err := os.Open(${quote(body.file.name)})`, ...check, "defer file.Close()"];
    return { imports: ["os"], lines, reader: "file", headers: [] };
  }
  return body.kind === "form" ? formCode(body.fields) : partsCode(body.fields);
}

type Fields = readonly (readonly [string, string | File])[];

function formCode(fields: Fields): BodyCode {
  const lines = [
    "form := url.Values{}",
    ...fields.map(([name, value]) => `form.Add(${quote(name)}, ${quote(value as string)})`),
  ];
  return { imports: ["net/url", "strings"], lines, reader: "strings.NewReader(form.Encode())", headers: [] };
}

function partsCode(fields: Fields): BodyCode {
  const hasFile = fields.some(([, value]) => typeof value !== "string");
  const lines = [
    "var form bytes.Buffer",
    "parts := multipart.NewWriter(&form)",
    ...fields.flatMap(([name, value]) =>
      typeof value === "string"
        ? [`parts.WriteField(${quote(name)}, ${quote(value)})`]
        : fileLines(name, value.name),
    ),
    "parts.Close()",
  ];
  return {
    imports: ["bytes", "mime/multipart", ...(hasFile ? ["os"] : [])],
    lines,
    reader: "&form",
    headers: [['"Content-Type"', "parts.FormDataContentType()"]],
  };
}

/** In a block, so that several files do not declare the same variables. */
function fileLines(field: string, name: string): string[] {
  const lines = [
    `file, err := os.Open(${quote(name)})`,
    ...check,
    "defer file.Close()",
    `part, err := parts.CreateFormFile(${quote(field)}, ${quote(name)})`,
    ...check,
    "if _, err := io.Copy(part, file); err != nil {",
    "\tpanic(err)",
    "}",
  ];
  return ["{", ...indented(lines), "}"];
}

/** Raw strings are easier to read, but cannot contain a backtick, and lose carriage returns. */
function longText(value: string): string {
  return /[`\r]/.test(value) ? quote(value) : `\`${value}\``;
}
