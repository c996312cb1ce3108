import { parseAddresses, toAddressList } from "../http/index.ts";
import { option, type Parse } from "../lib/options/option.ts";
import { defineGroup, defineOptions } from "../lib/options/option-set.ts";
import type { IsAllowedAddress } from "./guards/allowed-addresses.ts";

/** An empty list would lock out all superusers. */
const parseAllowedAddresses: Parse<IsAllowedAddress | undefined> = (value) => {
  const list = parseAddresses(value);
  if (list === undefined) throw new Error("a list with at least one address or network such as 10.0.0.0/8");
  return list.isTrusted;
};

const group = defineGroup({ name: "auth", title: "Sign-in", about: "Sign-in of superusers.", order: 80 });

/** Options for the sign-in of superusers. */
export const authOptions = defineOptions(group, {
  tokenHours: option.number({
    env: "SVC_TOKEN_HOURS",
    default: 168,
    about: "How long a superuser stays signed in, with a browser session or an API token.",
  }),
  allowedAddresses: option.custom<IsAllowedAddress | undefined, string[]>({
    type: "string[]",
    parse: parseAllowedAddresses,
    env: "SVC_AUTH_ALLOWED_ADDRESSES",
    default: undefined,
    defaultText: "all",
    about: "Addresses and networks from which superusers can sign in and use their sessions and tokens.",
    more: "Separate them with commas in the environment.",
    show: (_, given) => toAddressList(given),
  }),
  idleMinutes: option.optionalNumber({
    integer: { min: 2, max: 525_600 },
    env: "SVC_AUTH_IDLE_MINUTES",
    about: "Minutes after which an unused browser session ends. At least 2. API tokens have no such limit.",
  }),
});
