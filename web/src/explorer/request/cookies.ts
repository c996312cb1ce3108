/**
 * Browsers ignore a `Cookie` header that a script sets. These cookies are therefore stored in the browser until the
 * response arrives.
 */

export type Cookie = readonly [name: string, value: string];

export async function withCookies<T>(
  cookies: readonly Cookie[],
  url: string,
  send: () => Promise<T>,
): Promise<T> {
  const { pathname } = new URL(url);
  for (const [name, value] of cookies) store(name, value, pathname);
  try {
    return await send();
  } finally {
    for (const [name] of cookies) store(name, "; Max-Age=0", pathname);
  }
}

/**
 * Browsers store cookies with different paths separately and send the longest path first. With the path of the request,
 * the entered value comes first and does not replace the application's cookies. Names with a prefix have their own
 * rules.
 */
function store(name: string, value: string, path: string): void {
  const isSecure = window.location.protocol === "https:" || /^__(Host|Secure)-/.test(name);
  const scope = `Path=${name.startsWith("__Host-") ? "/" : path}; SameSite=Strict`;
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is unavailable over plain HTTP.
  document.cookie = `${name}=${value}; ${scope}${isSecure ? "; Secure" : ""}`;
}
