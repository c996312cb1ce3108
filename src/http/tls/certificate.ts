import { createPrivateKey, type KeyObject, X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { StartError } from "../../lib/errors/start-error.ts";
import { readProperty } from "../../lib/thrown.ts";
import { isPem, type TlsValues } from "./options.ts";

/** A private key and a certificate that belong together, as PEM text. */
export interface ServerCertificate {
  readonly key: string;
  readonly cert: string;
  /** Why clients will refuse the certificate at this time, if they will. */
  readonly warning: string | undefined;
}

/** Whether the server uses HTTPS. */
export function usesTls({ key, cert }: TlsValues): boolean {
  return key !== undefined || cert !== undefined;
}

/** Reads and checks the key and the certificate. Throws a `StartError` that says what to change. */
export function readCertificate(values: TlsValues, now: number): ServerCertificate {
  const key = readPem("tls.key", values.key);
  const cert = readPem("tls.cert", values.cert);
  const privateKey = parseKey(key);
  const certificate = parseCertificate(cert);
  if (!certificate.checkPrivateKey(privateKey))
    throw invalid(
      "The private key in tls.key does not match the certificate in tls.cert. Use the key of this certificate, and put the server's certificate before the intermediate ones.",
    );
  return { key, cert, warning: findExpiry(certificate, now) };
}

function readPem(name: string, value: string | undefined): string {
  if (value === undefined)
    throw invalid(`The option "${name}" is missing. HTTPS needs both tls.key and tls.cert.`);
  // Some platforms allow only one line in an environment variable.
  if (isPem(value)) return value.replaceAll("\\n", "\n");
  const path = resolve(value);
  try {
    return readFileSync(path, "utf8");
  } catch (cause) {
    throw invalid(`Cannot read ${name}: ${explain(cause)} ${path}. Set it to the path of a PEM file.`, cause);
  }
}

function explain(cause: unknown): string {
  const code = readProperty(cause as object, "code");
  if (code === "ENOENT") return "found no file";
  if (code === "EACCES") return "no permission to read";
  return code === "EISDIR" ? "it is a folder:" : "failed to read";
}

function parseKey(pem: string): KeyObject {
  try {
    return createPrivateKey(pem);
  } catch (cause) {
    const problem = pem.includes("ENCRYPTED")
      ? "The private key in tls.key is encrypted. Decrypt it, for example with openssl pkey."
      : "tls.key is not a private key in PEM format.";
    throw invalid(problem, cause);
  }
}

function parseCertificate(pem: string): X509Certificate {
  try {
    return new X509Certificate(pem);
  } catch (cause) {
    throw invalid("tls.cert is not a certificate in PEM format.", cause);
  }
}

function findExpiry({ validFrom, validTo }: X509Certificate, now: number): string | undefined {
  const [from, to] = [new Date(validFrom), new Date(validTo)];
  if (now > to.getTime())
    return `The TLS certificate expired at ${to.toISOString()}. Clients refuse it. Renew it and restart the server.`;
  if (now < from.getTime()) return `The TLS certificate is not valid before ${from.toISOString()}.`;
  return undefined;
}

function invalid(message: string, cause?: unknown): StartError {
  return new StartError("INVALID_OPTION", message, cause === undefined ? undefined : { cause });
}
