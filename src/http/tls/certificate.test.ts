import assert from "node:assert/strict";
import { X509Certificate } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { StartError } from "../../lib/errors/start-error.ts";
import { createTemporaryFolder } from "../../lib/testing/temporary-folder.ts";
import { encryptedKey, otherKey, testCertificate, testKey } from "../testing/certificates.ts";
import { test } from "../testing/test.ts";
import { readCertificate, usesTls } from "./certificate.ts";

const folder = createTemporaryFolder();
const keyFile = join(folder, "key.pem");
const certFile = join(folder, "cert.pem");
writeFileSync(keyFile, testKey);
writeFileSync(certFile, testCertificate);
const now = Date.parse("2027-01-01");

test("HTTPS is used if a key or a certificate is set", () => {
  const values = [{}, { key: "k" }, { cert: "c" }, { key: "k", cert: "c" }];
  const all = values.map((each) => usesTls({ key: undefined, cert: undefined, ...each }));
  assert.deepEqual(all, [false, true, true, true]);
});

const forms = {
  text: { key: testKey, cert: testCertificate },
  "text in one line": {
    key: testKey.replaceAll("\n", "\\n"),
    cert: testCertificate.replaceAll("\n", "\\n"),
  },
  paths: { key: keyFile, cert: certFile },
  "relative paths": { key: relative(process.cwd(), keyFile), cert: relative(process.cwd(), certFile) },
  "a path and text": { key: keyFile, cert: testCertificate },
  "a chain": { key: testKey, cert: testCertificate + testCertificate },
};

for (const [name, values] of Object.entries(forms)) {
  test(`a key and a certificate can be given as ${name}`, () => {
    const { key, cert, warning } = readCertificate(values, now);
    assert.equal(key, testKey);
    assert.ok(cert.startsWith(testCertificate));
    assert.equal(warning, undefined);
  });
}

const missing = join(folder, "missing.pem");
const problems: { name: string; values: { key?: string; cert?: string }; message: RegExp }[] = [
  {
    name: "no certificate",
    values: { key: testKey },
    message: /^The option "tls\.cert" is missing\. HTTPS needs both tls\.key and tls\.cert\.$/,
  },
  { name: "no key", values: { cert: testCertificate }, message: /^The option "tls\.key" is missing\./ },
  {
    name: "a missing file",
    values: { key: missing, cert: certFile },
    message: /^Cannot read tls\.key: found no file \/.*missing\.pem\. Set it to the path of a PEM file\.$/,
  },
  {
    name: "a folder",
    values: { key: keyFile, cert: folder },
    message: /^Cannot read tls\.cert: it is a folder: /,
  },
  {
    name: "the key of another certificate",
    values: { key: otherKey, cert: certFile },
    message: /^The private key in tls\.key does not match the certificate in tls\.cert\./,
  },
  {
    name: "an encrypted key",
    values: { key: encryptedKey, cert: certFile },
    message: /^The private key in tls\.key is encrypted\./,
  },
  {
    name: "a certificate as the key",
    values: { key: certFile, cert: certFile },
    message: /^tls\.key is not a private key in PEM format\.$/,
  },
  {
    name: "a key as the certificate",
    values: { key: keyFile, cert: keyFile },
    message: /^tls\.cert is not a certificate in PEM format\.$/,
  },
];

for (const { name, values, message } of problems) {
  test(`${name} is explained in one sentence that does not contain the key`, () => {
    assert.throws(
      () => readCertificate({ key: undefined, cert: undefined, ...values }, now),
      (error: StartError) => {
        assert.ok(error instanceof StartError);
        assert.equal(error.code, "INVALID_OPTION");
        assert.match(error.message, message);
        assert.doesNotMatch(error.message, /BEGIN/);
        return true;
      },
    );
  });
}

test("a certificate that is not valid now gives a warning", () => {
  const { validFrom, validTo } = new X509Certificate(testCertificate);
  const values = { key: testKey, cert: testCertificate };
  const warningAt = (time: string, offset: number) =>
    readCertificate(values, Date.parse(time) + offset).warning;
  assert.equal(warningAt(validFrom, 0), undefined);
  assert.match(warningAt(validFrom, -1)!, /^The TLS certificate is not valid before 20\d\d-/);
  assert.equal(warningAt(validTo, 0), undefined);
  assert.match(warningAt(validTo, 1)!, /^The TLS certificate expired at 21\d\d-.*restart the server\.$/);
});
