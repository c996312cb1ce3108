import type { InjectResponse } from "../../http/index.ts";
import type { TestServer } from "./server.ts";

/** A simulated browser that stores cookies and sends forms from the same origin. */
export interface TestBrowser {
  /** The client's address. Change it to move the browser to another network. */
  address: string;
  readonly cookies: Map<string, string>;
  open(url: string): Promise<InjectResponse>;
  /** Sends a form from the same origin, unless the headers set another one. */
  send(
    url: string,
    fields: Record<string, string>,
    headers?: Record<string, string>,
  ): Promise<InjectResponse>;
  /** The Cookie header of its requests. */
  cookie(): string;
}

const sameOrigin = { "sec-fetch-site": "same-origin" };

export function createBrowser({ inject }: TestServer, { address = "127.0.0.1" } = {}): TestBrowser {
  const cookies = new Map<string, string>();

  function remember(response: InjectResponse): InjectResponse {
    for (const line of response.headers["set-cookie"] ?? []) {
      const [pair = ""] = line.split(";");
      const [name = "", value = ""] = pair.split("=");
      if (line.includes("Max-Age=0")) cookies.delete(name);
      else cookies.set(name, value);
    }
    return response;
  }

  const browser: TestBrowser = {
    address,
    cookies,
    cookie: () => [...cookies].map(([name, value]) => `${name}=${value}`).join("; "),
    async open(url) {
      const headers = { cookie: browser.cookie(), accept: "text/html" };
      return remember(await inject({ url, headers, remoteAddress: browser.address }));
    },
    async send(url, fields, extra = sameOrigin) {
      const headers = { cookie: browser.cookie(), ...extra };
      const body = new URLSearchParams(fields);
      return remember(await inject({ method: "POST", url, headers, body, remoteAddress: browser.address }));
    },
  };
  return browser;
}
