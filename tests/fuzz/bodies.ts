import { gzipSync } from "node:zlib";
import type { Random } from "./random.ts";
import { fieldName, json, mutate, text } from "./values.ts";

export interface Body {
  readonly bytes: Buffer;
  readonly headers: readonly string[];
}

/** A body in one of the formats that handlers read, valid or nearly so. */
export function createBody(random: Random): Body {
  const body = random.pick([jsonBody, formBody, multipartBody, multipartBody, oddBody])(random);
  return random.chance(0.3) ? { ...body, bytes: mutate(random, body.bytes) } : body;
}

function jsonBody(random: Random): Body {
  const fields = Object.fromEntries(random.several(0, 6, () => [fieldName(random), json(random)]));
  const value = random.chance(0.8) ? fields : json(random);
  const type = random.pick(["application/json", "application/json; charset=utf-8", "application/JSON;x=y"]);
  return { bytes: Buffer.from(JSON.stringify(value)), headers: [`Content-Type: ${type}`] };
}

function formBody(random: Random): Body {
  const many = random.chance(0.02);
  const parts = random.several(many ? 900 : 0, many ? 1_100 : 6, () => {
    const name = random.chance(0.8) ? encode(fieldName(random)) : fieldName(random);
    return `${name}${random.pick(["=", "", "=="])}${random.chance(0.8) ? encode(text(random)) : text(random)}`;
  });
  return {
    bytes: Buffer.from(parts.join(random.pick(["&", "&", "&&", ";"]))),
    headers: ["Content-Type: application/x-www-form-urlencoded"],
  };
}

/** Follows the grammar of RFC 7578 and departs from it at every place where a parser makes a decision. */
function multipartBody(random: Random): Body {
  const boundary = random.pick(["X", "----WebKitFormBoundaryabc", "a b", "'()+_,-./:=?", "b".repeat(70)]);
  const newline = random.chance(0.9) ? "\r\n" : random.pick(["\n", "\r"]);
  const parts = random.several(0, 4, () => multipartPart(random, newline));
  const opening = random.pick(["", "", "", newline, "preamble\r\n"]);
  const ending = random.pick([`--${boundary}--${newline}`, `--${boundary}--`, `--${boundary}`, ""]);
  const whole = opening + parts.map((part) => `--${boundary}${newline}${part}`).join("") + ending;
  const declared = random.pick([boundary, boundary, boundary, `"${boundary}"`, "", "other"]);
  const parameter = random.chance(0.95) ? `; boundary=${declared}` : "";
  return {
    bytes: Buffer.from(whole),
    headers: [`Content-Type: multipart/form-data${parameter}`],
  };
}

function multipartPart(random: Random, newline: string): string {
  const name = random.chance(0.8) ? `; name="${fieldName(random)}"` : random.pick(["", "; name=", "; name"]);
  const file = random.chance(0.3) ? `; filename="${text(random)}"` : "";
  const disposition = random.chance(0.85) ? [`Content-Disposition: form-data${name}${file}`] : [];
  const type = random.chance(0.3)
    ? [
        `Content-Type: ${random.pick(["text/plain", "application/json", "image/png", "", "multipart/mixed; boundary=Y"])}`,
      ]
    : [];
  const encoding = random.chance(0.1) ? ["Content-Transfer-Encoding: base64"] : [];
  const headers = [...disposition, ...type, ...encoding];
  const blank = random.chance(0.9) ? newline : "";
  return (
    headers.map((line) => line + newline).join("") +
    blank +
    random.pick([text(random) + newline, text(random), ""])
  );
}

function oddBody(random: Random): Body {
  const bytes = Buffer.from(random.several(0, 64, () => random.below(256)));
  const isCompressed = random.chance(0.3);
  const type = random.pick([
    "text/plain",
    "application/xml",
    "application/octet-stream",
    "application/json",
    "",
  ]);
  return {
    bytes: isCompressed ? gzipSync(bytes) : bytes,
    headers: [`Content-Type: ${type}`, ...(isCompressed ? ["Content-Encoding: gzip"] : [])],
  };
}

function encode(value: string): string {
  return encodeURIComponent(value.toWellFormed());
}
