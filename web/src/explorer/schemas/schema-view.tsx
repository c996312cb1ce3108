import { useContext } from "preact/hooks";
import type { Schema } from "../../../../src/features/docs/wire.ts";
import { Badge } from "../../ui/status.tsx";
import { Disclosure } from "../disclosure.tsx";
import { nameOf, resolveSchema } from "../openapi/document.ts";
import { constraintLabels, typeLabel } from "../openapi/schema-labels.ts";
import { Reading } from "../reading.ts";

interface SchemaProps {
  readonly schema: Schema;
  /** The enclosing named types. A recursive type is not expanded again. */
  readonly within?: readonly string[];
}

/** A readable view of a type: fields with their types, and nested types to expand. */
export function SchemaView({ schema, within = [] }: SchemaProps) {
  const { document } = useContext(Reading);
  const found = resolveSchema(document, schema);
  const inside = schema.$ref === undefined ? within : [...within, nameOf(schema.$ref)];
  return (
    <div class="schema stack gap-2">
      <p class="cluster baseline">
        <TypeName schema={schema} />
        <Limits schema={found} />
      </p>
      {found.description && <p class="hint prose">{found.description}</p>}
      <Values schema={found} />
      <Inside schema={found} within={inside} />
    </div>
  );
}

function Inside({ schema, within = [] }: SchemaProps) {
  const { document } = useContext(Reading);
  const { properties = {}, required = [], additionalProperties, items, oneOf, anyOf, allOf, not } = schema;
  return (
    <>
      {Object.keys(properties).length > 0 && (
        <ul class="schema-fields stack gap-0">
          {Object.entries(properties).map(([name, each]) => (
            <Field
              key={name}
              name={name}
              schema={each}
              isRequired={required.includes(name)}
              within={within}
            />
          ))}
        </ul>
      )}
      {typeof additionalProperties === "object" && (
        <ul class="schema-fields stack gap-0">
          <Field name="any other key" isWord schema={additionalProperties} within={within} />
        </ul>
      )}
      {additionalProperties === true && <p class="hint">Other keys are allowed, with any value.</p>}
      {additionalProperties === false && <p class="hint">No other keys.</p>}
      {items && hasInside(resolveSchema(document, items)) && (
        <ul class="schema-fields stack gap-0">
          <Field name="each item" isWord schema={items} within={within} isOpen />
        </ul>
      )}
      <Parts title={`One of these${discriminatorLabel(schema)}`} schemas={oneOf} within={within} />
      <Parts title="At least one of these" schemas={anyOf} within={within} />
      <Parts title="All of these together" schemas={allOf} within={within} isOpen />
      <Parts title="Not this" schemas={not && [not]} within={within} />
    </>
  );
}

function discriminatorLabel({ discriminator }: Schema): string {
  return discriminator ? `; the field ${discriminator.propertyName} determines which` : "";
}

interface PartsProps {
  readonly title: string;
  readonly schemas: readonly Schema[] | undefined;
  readonly within: readonly string[];
  readonly isOpen?: boolean;
}

function Parts({ title, schemas, within, isOpen = false }: PartsProps) {
  if (!schemas) return null;
  return (
    <div>
      <p class="hint">{title}:</p>
      <ul class="schema-fields stack gap-0">
        {schemas.map((each, index) => (
          <Field key={index} name="" schema={each} within={within} isOpen={isOpen} />
        ))}
      </ul>
    </div>
  );
}

interface FieldProps extends SchemaProps {
  readonly name: string;
  /** Whether the name is a label and not a field of the data. */
  readonly isWord?: boolean;
  readonly isRequired?: boolean;
  readonly isOpen?: boolean;
}

function Field({ name, isWord, schema, isRequired = false, isOpen = false, within = [] }: FieldProps) {
  const { document, isPrinted } = useContext(Reading);
  const found = resolveSchema(document, schema);
  const type = namedType(schema);
  const isItselfAgain = type !== undefined && within.includes(type);
  // On paper, named types have their own section.
  const isElsewhere = isPrinted && type !== undefined;
  const inside = schema.$ref === undefined ? within : [...within, nameOf(schema.$ref)];
  const line = (
    <span class="cluster baseline">
      {name !== "" && (isWord ? <span class="quiet">{name}</span> : <code class="strong">{name}</code>)}
      <TypeName schema={schema} />
      {isRequired && <Badge tone="info">required</Badge>}
      {found.deprecated && <Badge tone="warn">deprecated</Badge>}
      <Limits schema={found} />
    </span>
  );
  const text = found.description && <p class="hint prose">{found.description}</p>;
  if (isItselfAgain || isElsewhere || !hasInside(found)) {
    return (
      <li>
        {line}
        {isItselfAgain && !isPrinted && <AgainNote type={type} />}
        {text}
        <Values schema={found} />
      </li>
    );
  }
  return (
    <li>
      <Disclosure summary={line} isOpen={isOpen}>
        {() => (
          <>
            {text}
            <Values schema={found} />
            <Inside schema={found} within={inside} />
          </>
        )}
      </Disclosure>
    </li>
  );
}

/** The name of the type, or of the item type for a list. */
function namedType({ $ref, items }: Schema): string | undefined {
  if ($ref !== undefined) return nameOf($ref);
  return items && namedType(items);
}

function AgainNote({ type }: { type: string }) {
  const { links } = useContext(Reading);
  return (
    <p class="hint">
      As above: <a href={links.schema(type)}>{type}</a> contains itself.
    </p>
  );
}

function hasInside({ properties, additionalProperties, items, oneOf, anyOf, allOf, not }: Schema): boolean {
  if (properties && Object.keys(properties).length > 0) return true;
  if (typeof additionalProperties === "object" || oneOf || anyOf || allOf || not) return true;
  return items !== undefined && (items.$ref !== undefined || hasInside(items));
}

function TypeName({ schema }: { schema: Schema }) {
  return <code class="schema-type">{typeLabel(schema)}</code>;
}

function Limits({ schema }: { schema: Schema }) {
  const words = constraintLabels(schema);
  if (words.length === 0) return null;
  return (
    <span class="hint wrap" {...(schema.pattern && { title: schema.pattern })}>
      {words.join(" · ")}
    </span>
  );
}

function Values({ schema }: { schema: Schema }) {
  if (!schema.enum) return null;
  return (
    <p class="cluster baseline chips">
      <span class="hint">One of</span>
      {schema.enum.map((value) => (
        <code key={String(value)}>{JSON.stringify(value)}</code>
      ))}
    </p>
  );
}
