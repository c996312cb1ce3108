import {
  bodyLimit,
  type Handler,
  type PathParams,
  type RequestEvent,
  type Router,
} from "../../http/index.ts";
import { ApiError } from "../../lib/errors.ts";
import { formBytes } from "../body-fields.ts";
import { requireSameOrigin } from "../guards.ts";
import { type FormState, refusedForm } from "./form.ts";
import { type Page, sendPage } from "./layout.ts";
import { home } from "./next-path.ts";

/** Registers what happens when a form of our own pages is sent. */
export function postForm<P extends string>(router: Router, path: P, handler: Handler<PathParams<P>>): void {
  router.post(path, handler).bind(requireSameOrigin(), bodyLimit(formBytes));
}

/** Shows a form again when what was wrong is for the person to mend; anything else goes on its way. */
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
  password: "Your password is changed. You are signed out everywhere else.",
  added: "The superuser is added and can sign in now.",
  removed: "The superuser is removed.",
  ended: "The session is ended.",
  "ended-others": "All other sessions and tokens are ended.",
} as const;

/** Ends an action: the next page says that it is done, and loading that page again does not do it again. */
export function redirectDone(e: RequestEvent, what: keyof typeof notices): unknown {
  return e.redirect(303, `${home}?done=${what}`);
}

export function noticeOf(e: RequestEvent): string | undefined {
  const what = e.query("done") ?? "";
  return Object.hasOwn(notices, what) ? notices[what as keyof typeof notices] : undefined;
}
