import { option, text } from "../../lib/options/option.ts";
import { defineGroup, defineOptions, type ValuesOf } from "../../lib/options/option-set.ts";

/** PEM text, unlike a path, contains a marker. */
export function isPem(value: string): boolean {
  return value.includes("-----BEGIN ");
}

const pem = (env: string, about: string, more = "") =>
  option.optionalText({
    parse: text("the path of a PEM file, or PEM text"),
    env,
    about,
    more,
    show: (value) => (isPem(value) ? "PEM text" : value),
  });

const group = defineGroup({
  name: "tls",
  title: "TLS",
  about: "Certificate of the server for HTTPS.",
  order: 20,
});

/** The certificate of the server. */
export const tlsOptions = defineOptions(group, {
  key: pem("SVC_TLS_KEY", "Private key of the server for HTTPS: the path of a PEM file, or PEM text."),
  cert: pem(
    "SVC_TLS_CERT",
    "Certificate of the server for HTTPS, followed by intermediate certificates: the path of a PEM file, or PEM text.",
    "See [TLS](operation.md#tls).",
  ),
});

export type TlsValues = ValuesOf<typeof tlsOptions>;
