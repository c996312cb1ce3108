import { within } from "../mutant.ts";

export const httpMutants = [
  ...within("src/http", [
    {
      fault: "the last bytes of a file are one byte too many",
      text: "within(size - Number(suffix), size - 1,",
      replacement: "within(size - Number(suffix) - 1, size - 1,",
      tests: "static/byte-range",
    },
    {
      fault: "a range can begin at the end of a file",
      text: "size === 0 || first >= size",
      replacement: "size === 0 || first > size",
      tests: "static/byte-range",
    },
    {
      fault: "hidden files whose names begin with .well-known are sent",
      text: "(?!well-known(?:\\/|$))",
      replacement: "(?!well-known)",
      tests: "static/requested-name",
    },
    {
      fault: "scripts can read cookies",
      text: "httpOnly = true, sameSite",
      replacement: "httpOnly = false, sameSite",
      tests: "headers/cookies",
    },
    {
      fault: "the largest cookie is refused",
      text: "if (bytes <= maxBytes) return undefined;",
      replacement: "if (bytes < maxBytes) return undefined;",
      tests: "headers/cookies",
    },
    {
      fault: "a carriage return in the data of an event adds a field",
      text: ".split(/\\r\\n|\\r|\\n/)",
      replacement: '.split("\\n")',
      tests: "streams/event-format",
    },
    {
      fault: "an address has one stream more than its limit",
      text: "this.countOf(network) >= openStreamsPerAddress",
      replacement: "this.countOf(network) > openStreamsPerAddress",
      tests: "streams/open-streams",
    },
    {
      fault: "closed streams count as open",
      text: 'response.once("close", () => this.change(kind, network, -1));',
      replacement: "",
      tests: "streams/open-streams",
    },
    {
      fault: "a client chooses its address",
      text: "if (!isTrusted(hop)) break;",
      replacement: "",
      tests: "client-address",
    },
    {
      fault: "a rate limit lasts longer than its window",
      text: "if (known.endsAt > now) return known;",
      replacement: "if (known.endsAt >= now) return known;",
      tests: "middleware/rate-limit",
    },
    {
      fault: "an encoding that the client refuses is used",
      text: ".filter((encoding) => weightOf(encoding) > 0)",
      replacement: "",
      tests: "compression/accept-encoding",
    },
    {
      fault: "a pattern with the flag g allows every other request only",
      text: 'entry.flags.replace(/[gy]/g, "")',
      replacement: "entry.flags",
      tests: "middleware/cors",
    },
    {
      fault: "Allow lacks HEAD",
      text: 'if (names.includes("GET")) names.push("HEAD");',
      replacement: "",
      tests: "routing/unmatched",
    },
    {
      fault: "errors with the status 500 are not reported",
      text: "meant !== undefined && meant.status < 500",
      replacement: "meant !== undefined && meant.status <= 500",
      tests: "errors/error-response",
    },
    {
      fault: "an error is written into a response that has begun",
      text: "open.length > 1 || open[0]?.response.headersSent",
      replacement: "open.length > 1",
      tests: "server/malformed-request",
    },
    {
      fault: "a body that stops after its first bytes waits forever",
      text: "seen = now;",
      replacement: "",
      tests: "body/progress-deadline",
    },
    {
      fault: "files of a failed upload stay on disk",
      text: "uploads.stop();\n",
      replacement: "\n",
      tests: "body/multipart",
    },
    {
      fault: "a page can have any number of items",
      text: "Math.min(Number(text), max)",
      replacement: "Number(text)",
      tests: "query/query",
    },
    {
      fault: "a weak tag matches strongly",
      text: 'return !tag.startsWith("W/") && list',
      replacement: "return list",
      tests: "files/entity-tags",
    },
  ]),
  ...within("src/adapters", [
    {
      fault: "the semicolon of Fastify is ignored",
      text: "routing.useSemicolonDelimiter ?? false",
      replacement: "false",
      tests: "fastify-routes",
    },
    {
      fault: "a slash at the end of a path of Fastify is ignored",
      text: "ignoreTrailingSlash = false",
      replacement: "ignoreTrailingSlash = true",
      tests: "fastify-routes",
    },
    {
      fault: "the root of a mounted router ends with a slash",
      text: 'outer !== "" && pattern === "/" ? outer : outer + pattern',
      replacement: "outer + pattern",
      tests: ["patterns", "tests/attach/routes"],
    },
  ]),
];
