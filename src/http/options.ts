import { option, type Parse } from "../lib/options/option.ts";
import { defineFlatOptions, defineGroup, defineOptions } from "../lib/options/option-set.ts";
import { type ProxyTrust, parseTrustedProxies } from "./client-address.ts";

/** Reads a list of addresses and networks; in the environment, separated by commas. */
export const parseAddresses: Parse<ProxyTrust | undefined> = (value) => {
  const entries = toAddressList(value);
  if (!Array.isArray(entries) || !entries.every((entry) => typeof entry === "string"))
    throw new Error("a list of addresses and networks such as 10.0.0.0/8");
  try {
    return parseTrustedProxies(entries);
  } catch (error) {
    throw new Error(`a list of addresses and networks (${(error as Error).message})`);
  }
};

/** Shows the list as it was given, because it is parsed into a function. */
export function toAddressList(given: unknown): unknown {
  return typeof given === "string" ? given.split(",").map((entry) => entry.trim()) : given;
}

export const proxyOptions = defineFlatOptions("server", {
  trustedProxies: option.custom<ProxyTrust | undefined, string[]>({
    type: "string[]",
    parse: parseAddresses,
    env: "SVC_TRUSTED_PROXIES",
    default: undefined,
    about: "Addresses and networks of proxies whose `X-Forwarded-*` headers are trusted.",
    more: "Separate them with commas in the environment.",
    show: (_, given) => toAddressList(given),
  }),
});

const limit = (value: number, about: string, more = "") =>
  option.number({ integer: { min: 1, max: Number.MAX_SAFE_INTEGER }, default: value, about, more });

const limitGroup = defineGroup({
  name: "limits",
  title: "Limits",
  about: "Size limits and timeouts of the HTTP server.",
  order: 110,
});

/** Size limits and timeouts of the HTTP server. */
export const limitOptions = defineOptions(limitGroup, {
  bodyBytes: limit(1_048_576, "Maximum size of a request body, unless the route sets its own limit."),
  headerBytes: limit(16_384, "Maximum total size of the request headers."),
  headersTimeoutMs: limit(20_000, "Time a client has to send the request headers, in milliseconds."),
  requestTimeoutMs: limit(120_000, "Time a client has to send the whole request, in milliseconds."),
  bodyTimeoutMs: limit(
    60_000,
    "Maximum time without progress while a body is read or parsed, in milliseconds. The request ends with `408` within twice this time.",
  ),
  keepAliveTimeoutMs: limit(72_000, "How long an idle connection stays open, in milliseconds."),
  stalledTimeoutMs: limit(
    30_000,
    "How long a client may stop reading a response, in milliseconds. Annex closes the connection within twice this time.",
  ),
  unreadBytes: limit(
    1_048_576,
    "Maximum size of the data that waits for a client of an event stream or a WebSocket. Slower clients are disconnected.",
    "See [slow clients](streams.md#slow-clients).",
  ),
  openStreamsPerAddress: limit(
    200,
    "Maximum number of open event streams and WebSockets of a client address, or of an IPv6 /64 network. Others get `429`.",
    "See [number of streams](streams.md#number-of-streams).",
  ),
  openStreams: limit(
    10_000,
    "Maximum number of open event streams and WebSockets of this instance. Others get `503`.",
  ),
  longRequestMs: limit(
    60_000,
    "Age from which a request without a response is reported as long-running, in milliseconds.",
    "See [long-running requests](metrics.md#long-running-requests).",
  ),
});
