/** Starts Swagger UI with the document of this version. */
(() => {
  const root = document.documentElement;
  const light = matchMedia("(prefers-color-scheme: light)");
  const stored = () => localStorage.getItem("annex-docs-theme");

  /** Dark, unless the system or the reader prefers light. */
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

  /** Sends requests to the origin of this page, if the document lists that server. */
  const ownServerFirst = (spec) => {
    const isOwn = ({ url }) => `${url}/`.startsWith(`${location.origin}/`);
    const sort = (servers) => servers.toSorted((one, other) => isOwn(other) - isOwn(one));
    for (const item of Object.values(spec.paths)) if (item.servers) item.servers = sort(item.servers);
    return { ...spec, servers: sort(spec.servers) };
  };

  /** Finds operations by path, name and description. Swagger UI's own search covers only tags. */
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
   * Browsers store cookies with different paths separately and send the longest path first. With the path of the
   * request, the entered value comes first and does not replace the application's cookies. Names with a prefix have
   * their own rules.
   */
  const storeCookie = (name, value, path) => {
    const isSecure = location.protocol === "https:" || /^__(Host|Secure)-/.test(name);
    const scope = `Path=${name.startsWith("__Host-") ? "/" : path}; SameSite=Strict`;
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API does not exist on plain HTTP
    document.cookie = `${name}=${value}; ${scope}${isSecure ? "; Secure" : ""}`;
  };

  /**
   * Browsers ignore a `Cookie` header set by a script, so its values are stored as cookies until the response arrives.
   */
  const fetchWithCookies = async (cookies, url, request) => {
    const { pathname } = new URL(url);
    for (const [name, value] of cookies) storeCookie(name, value, pathname);
    try {
      return await fetch(url, request);
    } finally {
      for (const [name] of cookies) storeCookie(name, "; Max-Age=0", pathname);
    }
  };

  /** Sends the cookies of security schemes and parameters, but only to the origin of this page. */
  const sendCookies = (request) => {
    if (!request.headers.Cookie) return request;
    // Swagger UI escapes these two characters, although they are valid in cookies and common in tokens.
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
    note.textContent = `Failed to load the document: ${error.message}`;
    place.replaceChildren(note);
  };

  fetch(place.dataset.document)
    .then((response) => {
      if (!response.ok) throw new Error(`the server returned ${response.status}`);
      return response.json();
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
