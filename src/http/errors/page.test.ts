import assert from "node:assert/strict";
import { test } from "node:test";
import { Html, html } from "./page.ts";

const rows: [name: string, html: Html, text: string][] = [
  ["text is escaped", html`<p title="${`"'`}">${"<b>&"}</p>`, '<p title="&#34;&#39;">&#60;b&#62;&#38;</p>'],
  ["numbers are written", html`${0} ${1.5}`, "0 1.5"],
  ["absences are left out", html`[${undefined}${null}${false}]`, "[]"],
  ["lists are joined", html`<ul>${["<", html`<li>`]}</ul>`, "<ul>&#60;<li></ul>"],
  ["HTML stays as it is", html`${new Html("<i>")}`, "<i>"],
  ["backslashes stay as written", html`a\\b`, "a\\b"],
];

for (const [name, page, text] of rows) {
  test(`in a page, ${name}`, () => assert.equal(page.toString(), text));
}
