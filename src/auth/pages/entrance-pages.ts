import { html } from "../../http/index.ts";
import { ADDRESS_NOT_ALLOWED } from "../errors.ts";
import { alertOf, type FormState, field, newPasswordFields } from "./form.ts";
import { cardPage, type Page } from "./layout.ts";

/** Pages for users who are not signed in. */

export interface SignInView {
  /** The host in the address bar. */
  readonly host: string;
  readonly next: string;
  readonly notice?: string | undefined;
}

export function signInPage(form: FormState, { host, next, notice }: SignInView): Page {
  const identity = { name: "identity", label: "Email", type: "email", autocomplete: "username" } as const;
  const password = {
    name: "password",
    label: "Password",
    type: "password",
    autocomplete: "current-password",
  } as const;
  const isRetry = form.alert !== undefined;
  return cardPage(
    "Sign in",
    html`<div class="intro">
<h1>Sign in</h1>
<p class="quiet">to manage ${host}</p>
</div>
${notice && html`<p class="notice" role="status">${notice}</p>`}
<form method="post" action="/_/sign-in">
${alertOf(form)}
${field(form, "sign-in", { ...identity, autofocus: !isRetry })}
${field(form, "sign-in", { ...password, autofocus: isRetry })}
<input type="hidden" name="next" value="${next}">
<button>Sign in</button>
</form>`,
  );
}

export function setupPage(form: FormState, secret: string): Page {
  const email = { name: "email", label: "Email", type: "email", autocomplete: "username" } as const;
  return cardPage(
    "Create the first superuser",
    html`<div class="intro">
<h1>Create the first superuser</h1>
<p class="quiet">This account manages the server. You can add others later.</p>
</div>
<form method="post" action="/_/setup">
${alertOf(form)}
${field(form, "setup", { ...email, autofocus: true })}
${newPasswordFields(form, "setup")}
<input type="hidden" name="setup" value="${secret}">
<button>Create superuser</button>
</form>`,
  );
}

const createCommand = html`<code class="command">npx annex superuser create you@example.com</code>`;

/** Shown without a setup link while no superuser exists. */
export function lockedPage(): Page {
  return cardPage(
    "No superuser yet",
    html`<div class="intro">
<h1>This server has no superuser yet</h1>
<p class="quiet">The administrator of the server can create the first one.</p>
</div>
<p>Open the setup link printed in the server's console, or run this on the server:</p>
${createCommand}`,
  );
}

export function voidLinkPage(): Page {
  return cardPage(
    "Link no longer valid",
    html`<div class="intro">
<h1>This link is no longer valid</h1>
<p class="quiet">It has been used or has expired.</p>
</div>
<p>Restart the server to get a new link, or run this on the server:</p>
${createCommand}`,
  );
}

/** Shown for a setup link that is opened from an address where superusers cannot sign in. */
export function refusedAddressPage(): Page {
  return cardPage(
    "Address not allowed",
    html`<div class="intro">
<h1>This address is not allowed</h1>
<p class="quiet">${ADDRESS_NOT_ALLOWED().message}</p>
</div>
<p>Open the link from a network in <code>auth.allowedAddresses</code>, or run this on the server:</p>
${createCommand}`,
  );
}
