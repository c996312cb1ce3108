/* Starts Swagger UI on the document of this version. */
(() => {
  const root = document.documentElement;
  const light = matchMedia("(prefers-color-scheme: light)");
  const stored = () => localStorage.getItem("annex-docs-theme");

  /** Dark, unless the system or the reader wants it light. */
  const applyTheme = () => {
    const isLight = (stored() ?? (light.matches ? "light" : "dark")) === "light";
    root.classList.toggle("dark-mode", !isLight);
    root.style.colorScheme = isLight ? "light" : "dark";
  };
  applyTheme();
  light.addEventListener("change", applyTheme);
  document.getElementById("annex-theme").addEventListener("click", () => {
    localStorage.setItem("annex-docs-theme", root.classList.contains("dark-mode") ? "light" : "dark");
    applyTheme();
  });

  document.getElementById("annex-version").addEventListener("change", ({ target }) => {
    location.assign(`/api/docs/${target.value}/swagger`);
  });

  /** Requests go to where this page came from, if the document names that server. */
  const ownServerFirst = (spec) => {
    const isOwn = ({ url }) => `${url}/`.startsWith(`${location.origin}/`);
    const sort = (servers) => servers.toSorted((one, other) => isOwn(other) - isOwn(one));
    for (const item of Object.values(spec.paths)) if (item.servers) item.servers = sort(item.servers);
    return { ...spec, servers: sort(spec.servers) };
  };

  /** Finds operations by path, name and description, where Swagger UI would look at tags alone. */
  const search = () => ({
    fn: {
      opsFilter: (groups, phrase) => {
        const wanted = phrase.toLowerCase();
        const matches = (operation, tag) =>
          [tag, operation.get("path"), operation.get("method")]
            .concat(
              ["summary", "description", "operationId"].map((key) => operation.getIn(["operation", key])),
            )
            .some((text) => text?.toLowerCase().includes(wanted));
        return groups
          .map((group, tag) =>
            group.update("operations", (list) => list.filter((each) => matches(each, tag))),
          )
          .filter((group) => group.get("operations").size > 0);
      },
    },
  });

  /**
   * Browsers keep cookies of different paths apart and send the longest path first. With the path of the request, the
   * entered value comes first and replaces no cookie of the application. Names with a prefix have rules of their own.
   */
  const storeCookie = (name, value, path) => {
    const isSecure = location.protocol === "https:" || /^__(Host|Secure)-/.test(name);
    const scope = `Path=${name.startsWith("__Host-") ? "/" : path}; SameSite=Strict`;
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API does not exist on plain HTTP
    document.cookie = `${name}=${value}; ${scope}${isSecure ? "; Secure" : ""}`;
  };

  /** Browsers ignore a `Cookie` header from a script, so its values are real cookies until the response arrives. */
  const fetchWithCookies = async (cookies, url, request) => {
    const { pathname } = new URL(url);
    for (const [name, value] of cookies) storeCookie(name, value, pathname);
    try {
      return await fetch(url, request);
    } finally {
      for (const [name] of cookies) storeCookie(name, "; Max-Age=0", pathname);
    }
  };

  /** Sends the cookies of schemes and parameters, but only to the server that this page came from. */
  const sendCookies = (request) => {
    if (!request.headers.Cookie) return request;
    // Swagger UI escapes these two, although they are valid in a cookie and common in a token.
    const header = request.headers.Cookie.replaceAll("%3D", "=").replaceAll("%26", "&");
    request.headers.Cookie = header;
    const cookies = header.split("; ").map((pair) => pair.split(/=(.*)/s, 2));
    if (new URL(request.url).origin === location.origin)
      request.userFetch = (url, options) => fetchWithCookies(cookies, url, options);
    return request;
  };

  const place = document.getElementById("swagger-ui");
  const fail = (error) => {
    const note = document.createElement("p");
    note.className = "annex-note";
    note.textContent = `The document could not be read: ${error.message}`;
    place.replaceChildren(note);
  };

  fetch(place.dataset.document)
    .then((answer) => {
      if (!answer.ok) throw new Error(`the server answered ${answer.status}`);
      return answer.json();
    })
    .then((spec) => {
      window.ui = window.SwaggerUIBundle({
        spec: ownServerFirst(spec),
        domNode: place,
        deepLinking: true,
        displayRequestDuration: true,
        filter: true,
        tryItOutEnabled: true,
        validatorUrl: null,
        docExpansion: "list",
        defaultModelsExpandDepth: 0,
        syntaxHighlight: { activated: true, theme: "agate" },
        plugins: [search],
        requestInterceptor: sendCookies,
      });
    })
    .catch(fail);
})();
