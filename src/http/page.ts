/**
 * Pages of ours are whole HTML documents under a policy that runs nothing but our own files. Text from outside
 * becomes HTML only through `html`, which escapes it.
 */

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join("; ");

/** The headers of every page of ours. */
export const pageHeaders = {
  "Content-Security-Policy": policy,
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
  // With `no-referrer` a browser would send `Origin: null` with our own forms, and over plain HTTP to another machine
  // nothing else tells them from those of another site.
  "Referrer-Policy": "same-origin",
  "X-Frame-Options": "DENY",
  "Cache-Control": "no-store",
} as const satisfies Record<string, string>;

/** Text that is HTML already. */
export class Html {
  private readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  toString(): string {
    return this.text;
  }
}

type HtmlValue = string | number | Html | readonly HtmlValue[] | false | null | undefined;

/** `` html`<p>${name}</p>` ``: what is put in is escaped, unless it is `Html`; arrays are joined, absences left out. */
export function html(strings: TemplateStringsArray, ...values: HtmlValue[]): Html {
  return new Html(String.raw({ raw: strings }, ...values.map(render)));
}

function render(value: HtmlValue): string {
  if (Array.isArray(value)) return value.map(render).join("");
  if (value instanceof Html) return value.toString();
  if (value === undefined || value === null || value === false) return "";
  return String(value).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
