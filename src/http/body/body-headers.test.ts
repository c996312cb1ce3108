import assert from "node:assert/strict";
import { test } from "node:test";
import { parseContentType, readBodyHeaders, readRawBodyHeaders } from "./body-headers.ts";

const none = { contentType: undefined, encoding: undefined, length: 0, isChunked: false };

const sent: { name: string; headers: string[]; expected: object }[] = [
  { name: "no headers", headers: [], expected: none },
  {
    name: "headers in any case, between others",
    headers: ["Host", "x", "CONTENT-TYPE", "text/plain", "content-length", "12", "Accept", "*/*"],
    expected: { ...none, contentType: "text/plain", length: 12 },
  },
  {
    name: "other headers of the same length",
    headers: ["X-Request-Id", "a", "X-Request-Kind", "7", "X-Request-Source", "b", "X-Request-Sources", "c"],
    expected: none,
  },
  {
    name: "a chunked and compressed body",
    headers: ["Transfer-Encoding", "chunked", "Content-Encoding", "gzip"],
    expected: { ...none, encoding: "gzip", isChunked: true },
  },
];

for (const { name, headers, expected } of sent) {
  test(`the headers of a body are read from ${name}`, () => {
    assert.deepEqual(readRawBodyHeaders(headers), expected);
    const parsed: Record<string, string> = {};
    for (let at = 0; at < headers.length; at += 2) parsed[headers[at]!.toLowerCase()] = headers[at + 1]!;
    assert.deepEqual(readBodyHeaders(parsed), expected, "as Node has parsed them");
  });
}

test("of two content types, the first counts, as in Node", () => {
  const { contentType } = readRawBodyHeaders(["Content-Type", "text/plain", "Content-Type", "text/html"]);
  assert.equal(contentType, "text/plain");
});

const types: [header: string, type: string, charset?: string][] = [
  ["application/json", "application/json"],
  ["Application/JSON ; Charset=UTF-8", "application/json", "utf-8"],
  ['text/plain; format=flowed; charset="ISO-8859-1"', "text/plain", "iso-8859-1"],
  ["", ""],
];

for (const [header, type, charset] of types) {
  test(`the content type "${header}" is parsed`, () => {
    assert.deepEqual(parseContentType(header), { type, charset });
  });
}
