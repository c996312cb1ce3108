import { type Html, html } from "../../http/index.ts";
import type { Superuser } from "../accounts/accounts.ts";
import {
  alertOf,
  currentPasswordField,
  emptyForm,
  type FormState,
  field,
  newPasswordFields,
  usernameField,
} from "./form.ts";
import { brand, cardPage, type Page } from "./layout.ts";
import { home } from "./next-path.ts";
import { type SessionListView, sessionList } from "./session-list.ts";

/** Pages for signed-in superusers. */

export type AccountForm = "password" | "add";

export interface AccountView extends SessionListView {
  readonly me: Superuser;
  readonly superusers: readonly Superuser[];
  /** Whether changes to superusers require the password, because the last sign-in is too old. */
  readonly needsPassword: boolean;
  /** The target of the logo link. */
  readonly landing: string;
  readonly notice?: string | undefined;
  /** The form with an error, if any. */
  readonly refused?: { readonly form: AccountForm; readonly state: FormState };
}

export function accountPage(view: AccountView): Page {
  const { me, superusers, landing, notice, refused, needsPassword } = view;
  const stateOf = (form: AccountForm) => (refused?.form === form ? refused.state : emptyForm);
  const body = html`<div class="sheet">
<header class="bar">
<a class="brand" href="${landing}">${brand}</a>
<form method="post" action="/_/sign-out"><button class="plain">Sign out</button></form>
</header>
<main>
${notice && html`<p class="notice" role="status">${notice}</p>`}
<section class="card">
<div class="intro">
<h1>Your account</h1>
<p class="quiet">You are signed in as <strong>${me.email}</strong>.</p>
</div>
${passwordForm(stateOf("password"), me)}
</section>
${sessionList(view)}
<section class="card">
<div class="intro">
<h2>Superusers</h2>
<p class="quiet">Each account in this list can manage the server.</p>
</div>
<ul class="people">
${superusers.map((superuser) => personItem(superuser, me))}
</ul>
${addForm(stateOf("add"), needsPassword)}
</section>
</main>
<footer class="quiet">${landing !== home && html`<a href="${landing}">Dashboard</a> · `}<a href="/api/health">Server health</a></footer>
</div>`;
  return { title: "Your account", body };
}

export function removePage({ id, email }: Superuser, form: FormState, me: Superuser | undefined): Page {
  return cardPage(
    "Remove a superuser",
    html`<div class="intro">
<h1>Remove this superuser?</h1>
<p class="quiet"><strong>${email}</strong> is signed out everywhere and cannot sign in again.</p>
</div>
<form method="post" action="/_/superusers/${id}/remove">
${alertOf(form)}
${me && [usernameField(me.email), currentPasswordField(form, "remove")]}
<div class="actions">
<button class="danger">Remove</button>
<a class="button" href="/_/">Keep</a>
</div>
</form>`,
  );
}

function personItem({ id, email }: Superuser, me: Superuser): Html {
  const end =
    id === me.id
      ? html`<span class="quiet">you</span>`
      : html`<a href="/_/superusers/${id}/remove" aria-label="Remove ${email}">Remove</a>`;
  return html`<li><span>${email}</span> ${end}</li>`;
}

function passwordForm(form: FormState, { email }: Superuser): Html {
  const current = {
    name: "oldPassword",
    label: "Current password",
    type: "password",
    autocomplete: "current-password",
  } as const;
  return html`<details${form !== emptyForm && html` open`}>
<summary>Change password</summary>
<form method="post" action="/_/password">
${alertOf(form)}
<p class="quiet">You stay signed in here and are signed out everywhere else.</p>
${usernameField(email)}
${field(form, "password", { ...current, autofocus: form.alert !== undefined })}
${newPasswordFields(form, "password", "New password")}
<button>Change password</button>
</form>
</details>`;
}

function addForm(form: FormState, needsPassword: boolean): Html {
  return html`<details${form !== emptyForm && html` open`}>
<summary>Add a superuser</summary>
<form method="post" action="/_/superusers">
${alertOf(form)}
${field(form, "add", { name: "email", label: "Email", type: "email", autocomplete: "off" })}
${newPasswordFields(form, "add")}
${needsPassword && currentPasswordField(form, "add")}
<button>Add superuser</button>
</form>
</details>`;
}
