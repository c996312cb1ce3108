import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { Setting } from "../../../../../src/features/settings/wire.ts";
import { formatWhole } from "../../../format/numbers.ts";
import { noteOf } from "../values.tsx";

interface FieldProps {
  readonly setting: Setting;
  readonly draft: string;
  readonly problem: string | undefined;
  onDraft(draft: string): void;
}

const problemId = "config-problem";

/** The input for the kind of the setting, with its validation message. */
export function Field(props: FieldProps) {
  const place = useRef<HTMLDivElement>(null);
  const { problem } = props;
  useLayoutEffect(() => {
    if (problem !== undefined) place.current?.querySelector<HTMLElement>("input, textarea")?.focus();
  }, [problem]);
  return (
    <div ref={place} class="stack gap-4">
      <Control {...props} />
      {problem !== undefined && (
        <p class="field-problem" id={problemId} role="alert">
          {problem}
        </p>
      )}
    </div>
  );
}

function Control(props: FieldProps) {
  switch (props.setting.kind) {
    case "choice":
      return <ChoiceField {...props} options={props.setting.options} />;
    case "number":
      return <NumberField {...props} setting={props.setting} />;
    case "switch":
      return <SwitchField {...props} />;
    case "paths":
      return (
        <LinesField {...props} label="Paths, one per line" example="/admin/*">
          * matches any text. At most {props.setting.most} paths; leave empty for none.
        </LinesField>
      );
    case "lines":
      return (
        <LinesField {...props} label="One per line" example={props.setting.example}>
          At most {props.setting.most} lines; leave empty for none.
        </LinesField>
      );
  }
}

const invalid = (problem: string | undefined) =>
  problem === undefined ? {} : { "aria-invalid": true, "aria-describedby": problemId };

const hints: Readonly<Record<string, string>> = {
  debug: "everything, including requests",
  info: "normal operation",
  warn: "possible problems",
  error: "failures",
};

function ChoiceField({ setting, draft, options, onDraft }: FieldProps & { options: readonly string[] }) {
  return (
    <fieldset class="config-cards">
      <legend>New value</legend>
      {options.map((option) => (
        <label key={option} class="config-card row">
          <input
            type="radio"
            name={setting.name}
            value={option}
            checked={option === draft}
            autofocus={option === setting.value}
            onChange={() => onDraft(option)}
          />
          <span class="stack gap-0">
            <b>{option}</b>
            {hints[option] !== undefined && <span class="hint">{hints[option]}</span>}
          </span>
        </label>
      ))}
    </fieldset>
  );
}

function NumberField({ setting, draft, problem, onDraft }: FieldProps & { setting: { kind: "number" } }) {
  const { unit, least, most, name } = setting;
  const note = noteOf(name, Number(draft));
  return (
    <label class="field">
      New value{unit && ` in ${unit}`}
      <span class="config-number row">
        <input
          autofocus
          inputMode="decimal"
          autocomplete="off"
          value={draft}
          onInput={(event) => onDraft(event.currentTarget.value)}
          {...invalid(problem)}
        />
        <span class="hint">{note === undefined ? unit : `${unit} = ${note}`}</span>
      </span>
      {problem === undefined && (
        <span class="hint">
          From {least} to {formatWhole(most)}
        </span>
      )}
    </label>
  );
}

function SwitchField({ draft, onDraft }: FieldProps) {
  const isOn = draft === "true";
  return (
    <label class="config-radio row inline strong">
      <input
        type="checkbox"
        role="switch"
        autofocus
        aria-checked={isOn}
        checked={isOn}
        onChange={(event) => onDraft(String(event.currentTarget.checked))}
      />
      <span>{isOn ? "On" : "Off"}</span>
    </label>
  );
}

interface LinesFieldProps extends FieldProps {
  readonly label: string;
  readonly example: string;
  readonly children: ComponentChildren;
}

function LinesField({ label, example, children, draft, problem, onDraft }: LinesFieldProps) {
  return (
    <label class="field">
      {label}
      <textarea
        autofocus
        class="mono"
        rows={6}
        spellcheck={false}
        placeholder={example}
        value={draft}
        onInput={(event) => onDraft(event.currentTarget.value)}
        {...invalid(problem)}
      />
      <span class="hint">{children}</span>
    </label>
  );
}
