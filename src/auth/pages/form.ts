import { type Html, html } from "../../http/index.ts";
import type { ApiError, FieldProblem } from "../../lib/errors/errors.ts";

/** The values and errors of a form. */
export interface FormState {
  readonly values: Readonly<Record<string, string>>;
  readonly problems: Readonly<Record<string, FieldProblem>>;
  /** An error that does not belong to a field. */
  readonly alert?: string;
}

export const emptyForm: FormState = { values: {}, problems: {} };

/** The form after an error, which is shown beside its fields or above the form. */
export function refusedForm({ data, message }: ApiError, values: Record<string, string>): FormState {
  const problems = data as Record<string, FieldProblem>;
  return Object.keys(problems).length > 0 ? { values, problems } : { values, problems, alert: message };
}

export interface FieldOptions {
  name: string;
  label: string;
  type: "email" | "password";
  /** The purpose of the field, for password managers. */
  autocomplete: "username" | "current-password" | "new-password" | "off";
  hint?: string;
  /** Whether the field has the focus when no field has an error. */
  autofocus?: boolean;
}

/** A labelled field. `id` distinguishes the fields of several forms on one page. */
export function field(form: FormState, id: string, options: FieldOptions): Html {
  const { name, label, type, autocomplete, hint } = options;
  const problem = form.problems[name];
  const own = `${id}-${name}`;
  const described = [problem && `${own}-problem`, hint && `${own}-hint`].filter(Boolean).join(" ");
  return html`<div class="field">
<label for="${own}">${label}</label>
<input id="${own}" name="${name}" type="${type}" autocomplete="${autocomplete}" required${[
    type === "email" && html` value="${form.values[name] ?? ""}" spellcheck="false" autocapitalize="none"`,
    problem && html` aria-invalid="true"`,
    described !== "" && html` aria-describedby="${described}"`,
    startsHere(form, options) && html` autofocus`,
  ]}>
${problem && html`<p class="problem" id="${own}-problem">${problem.message}</p>`}
${hint && html`<p class="hint" id="${own}-hint">${hint}</p>`}
</div>`;
}

/** Whether the field has the focus when the page opens. */
function startsHere({ problems }: FormState, { name, autofocus = false }: FieldOptions): boolean {
  const [first] = Object.keys(problems);
  return first === undefined ? autofocus : first === name;
}

export function alertOf({ alert }: FormState): Html | undefined {
  return alert === undefined ? undefined : html`<p class="notice bad" role="alert">${alert}</p>`;
}

const passwordHint = "At least 8 characters. A few words are easy to remember and hard to guess.";

/** The two fields of a new password. */
export function newPasswordFields(form: FormState, id: string, label = "Password"): Html[] {
  const options = { type: "password", autocomplete: "new-password" } as const;
  return [
    field(form, id, { ...options, name: "password", label, hint: passwordHint }),
    field(form, id, { ...options, name: "passwordConfirm", label: "Repeat the password" }),
  ];
}

/** Asks for the password of the signed-in superuser, to protect sensitive changes from an unlocked screen. */
export function currentPasswordField(form: FormState, id: string): Html {
  return field(form, id, {
    name: "currentPassword",
    label: "Your current password",
    type: "password",
    autocomplete: "current-password",
    hint: "Required because you signed in more than ten minutes ago.",
  });
}

/** Lets password managers recognize the account of a form. */
export function usernameField(email: string): Html {
  return html`<input type="text" name="username" value="${email}" autocomplete="username" hidden>`;
}
