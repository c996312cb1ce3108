import { useId } from "preact/hooks";
import { Button } from "../../ui/controls/button.tsx";
import { enter, entered } from "./credentials.ts";
import { isBasic, type NamedScheme, schemeLabel } from "./schemes.ts";

/** A field for each security scheme. */
export function CredentialFields({ schemes }: { schemes: readonly NamedScheme[] }) {
  return (
    <ul class="credentials stack gap-8">
      {schemes.map((each) => (
        <li key={each.name} class="cluster gap-8">
          {isBasic(each.scheme) ? <BasicFields {...each} /> : <SecretField {...each} />}
          {entered.value[each.name] !== undefined && (
            <Button onClick={() => enter(each.name, "")}>
              Clear<span class="visually-hidden"> {each.name}</span>
            </Button>
          )}
          {each.scheme.description && <p class="hint prose">{each.scheme.description}</p>}
        </li>
      ))}
    </ul>
  );
}

function SecretField(each: NamedScheme) {
  const id = useId();
  return (
    <>
      <label for={id}>
        <code class="strong">{each.name}</code> <span class="hint">{schemeLabel(each)}</span>
      </label>
      <input
        id={id}
        type="password"
        autocomplete="off"
        spellcheck={false}
        value={entered.value[each.name] ?? ""}
        onInput={(event) => enter(each.name, event.currentTarget.value.trim())}
      />
    </>
  );
}

function BasicFields({ name }: NamedScheme) {
  const [user = "", ...rest] = (entered.value[name] ?? "").split(":");
  const password = rest.join(":");
  const write = (parts: { user?: string; password?: string }) => {
    const next = { user, password, ...parts };
    enter(name, next.user === "" && next.password === "" ? "" : `${next.user}:${next.password}`);
  };
  return (
    <>
      <code class="strong">{name}</code>
      <input
        type="text"
        aria-label={`User name for ${name}`}
        placeholder="User name"
        autocomplete="off"
        value={user}
        // The first colon separates the name from the password.
        onInput={(event) => write({ user: event.currentTarget.value.replaceAll(":", "") })}
      />
      <input
        type="password"
        aria-label={`Password for ${name}`}
        placeholder="Password"
        autocomplete="off"
        value={password}
        onInput={(event) => write({ password: event.currentTarget.value })}
      />
    </>
  );
}
