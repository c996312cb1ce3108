/**
 * Built-in pages are complete HTML documents with a content security policy that allows only our own files. External
 * text is always escaped with `html`.
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

/** Headers of all built-in pages. */
export const pageHeaders = {
  "Content-Security-Policy": policy,
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
  // With `no-referrer`, browsers would send `Origin: null` with our own forms. Over plain HTTP, only the origin
  // distinguishes them from forms of another site.
  "Referrer-Policy": "same-origin",
  "X-Frame-Options": "DENY",
  "Cache-Control": "no-store",
} as const satisfies Record<string, string>;

/**
 * Adds the base path to all links, forms and files of a built-in page. Values are escaped, so only the page itself
 * contains such attributes.
 */
export function withBasePath(page: Html | string, basePath: string): string {
  const text = page.toString();
  return basePath === "" ? text : text.replace(/ (href|src|action)="\/(?!\/)/g, ` $1="${basePath}/`);
}

/** Whether a client asks for a page, as browsers do. */
export function asksForPage(accept: string | undefined): boolean {
  return accept?.includes("text/html") === true;
}

/** Text that is already HTML. */
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

/** `` html`<p>${name}</p>` ``: escapes values unless they are `Html`, joins arrays and omits missing values. */
export function html(strings: TemplateStringsArray, ...values: HtmlValue[]): Html {
  return new Html(String.raw({ raw: strings }, ...values.map(render)));
}

function render(value: HtmlValue): string {
  if (Array.isArray(value)) return value.map(render).join("");
  if (value instanceof Html) return value.toString();
  if (value === undefined || value === null || value === false) return "";
  return String(value).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
