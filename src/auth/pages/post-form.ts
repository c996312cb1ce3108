import {
  bodyLimit,
  type Handler,
  type PathParams,
  type RequestEvent,
  type Router,
} from "../../http/index.ts";
import { ApiError } from "../../lib/errors/errors.ts";
import { formBytes } from "../body-fields.ts";
import { requireSameOrigin } from "../guards/guards.ts";
import { type FormState, refusedForm } from "./form.ts";
import { type Page, sendPage } from "./layout.ts";
import { homeOf } from "./next-path.ts";

/** Registers the handler of a form submission. */
export function postForm<P extends string>(router: Router, path: P, handler: Handler<PathParams<P>>): void {
  router.post(path, handler).bind(requireSameOrigin(), bodyLimit(formBytes));
}

/** Shows the form again if the user can correct the error. Rethrows other errors. */
export async function showAgain(
  e: RequestEvent,
  error: unknown,
  values: Record<string, string>,
  page: (form: FormState) => Page | Promise<Page>,
): Promise<unknown> {
  if (!(error instanceof ApiError) || error.status === 500) throw error;
  for (const [name, value] of Object.entries(error.headers ?? {})) e.setHeader(name, value);
  return sendPage(e, error.status, await page(refusedForm(error, values)));
}

const notices = {
  "signed-out": "You are signed out.",
  password: "Password changed. You are signed out everywhere else.",
  added: "Superuser added.",
  removed: "Superuser removed.",
  ended: "Session ended.",
  "ended-others": "All other sessions and tokens ended.",
} as const;

/** Redirects after an action, so that reloading the page does not repeat it. The next page confirms the action. */
export function redirectDone(e: RequestEvent, what: keyof typeof notices): unknown {
  return e.redirect(303, `${homeOf(e)}?done=${what}`);
}

export function noticeOf(e: RequestEvent): string | undefined {
  const what = e.query("done") ?? "";
  return Object.hasOwn(notices, what) ? notices[what as keyof typeof notices] : undefined;
}
