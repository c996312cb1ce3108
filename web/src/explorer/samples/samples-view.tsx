import { signal } from "@preact/signals";
import { Choice } from "../../ui/controls/choice.tsx";
import { CodeBlock } from "../code-block.tsx";
import { toCurl } from "./curl.ts";
import { toFetch, variableName } from "./fetch.ts";
import { toGo } from "./go.ts";
import { toPython } from "./python.ts";
import { type SampleParts, type SampleRequest, toSample, variablesOf } from "./sample-request.ts";

type Language = "curl" | "fetch" | "Python" | "Go";

interface Writer {
  write(sample: SampleRequest): string;
  /** How the language names a variable. */
  variable(name: string): string;
}

const writers: Readonly<Record<Language, Writer>> = {
  curl: { write: toCurl, variable: (name) => `$${name}` },
  fetch: { write: toFetch, variable: variableName },
  Python: { write: toPython, variable: (name) => name },
  Go: { write: toGo, variable: (name) => name },
};

const languages = Object.keys(writers) as Language[];

/** The same for all operations. */
const chosen = signal<Language>("curl");

/** The current request, for a terminal or a program. */
export function Samples(parts: SampleParts) {
  const language = chosen.value;
  const { write, variable } = writers[language];
  const sample = toSample(parts);
  const variables = variablesOf(sample);
  return (
    <section class="stack" aria-label="Code samples for this request">
      <header class="cluster gap-8">
        <h3>Code samples</h3>
        <Choice<Language>
          name="Language"
          value={language}
          options={languages.map((value) => ({ value, label: value }))}
          onChoose={(next) => {
            chosen.value = next;
          }}
        />
        {variables.length > 0 && (
          <span class="hint">
            Set{" "}
            {variables.map((name, index) => (
              <>
                {index > 0 && " and "}
                <code key={name}>{variable(name)}</code>
              </>
            ))}{" "}
            first
            {variables.includes("BASIC_AUTH") && ": the user name and password as name:password in Base64"}.
          </span>
        )}
      </header>
      <CodeBlock text={write(sample)} label={`Request with ${language}`} />
    </section>
  );
}
