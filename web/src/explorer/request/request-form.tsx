import type { ComponentChildren } from "preact";
import { useContext, useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { ApiOperation } from "../../../../src/features/docs/wire.ts";
import { Button } from "../../ui/controls/button.tsx";
import { confirm } from "../../ui/feedback/dialog.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Panel } from "../../ui/panel.tsx";
import type { CredentialPlace } from "../auth/schemes.ts";
import { createDraft } from "../draft/create-draft.ts";
import { bodyKindOf, type Draft, keyOf, type Prepared, parametersOf, prepare } from "../draft/draft.ts";
import type { Operation } from "../openapi/document.ts";
import { Reading } from "../reading.ts";
import { Samples } from "../samples/samples-view.tsx";
import { BodyEditor } from "./body-editor.tsx";
import { problemOfJson } from "./json-text.ts";
import { ParameterTable } from "./parameter-table.tsx";
import { ResponseView } from "./response-view.tsx";
import { type Identity, type ReceivedResponse, sendRequest } from "./send-request.ts";

interface RequestFormProps {
  readonly operation: Pick<ApiOperation, "method" | "path" | "route">;
  readonly described: Operation;
  /** Whether the document contains more than the route. */
  readonly isRead: boolean;
  /** What comes before the path, such as `https://example.com`. */
  readonly origin: string;
  readonly identity: Identity;
  /** The credentials that code samples show, with variables for the secrets. */
  readonly places: readonly CredentialPlace[];
  /** The choice of an identity. */
  readonly children: ComponentChildren;
}

const emptyHint = (isRead: boolean) =>
  isRead ? "It takes no parameters and no body." : "No parameters and no body are documented.";

/** Drafts of recently viewed operations, restored when the user returns. */
const drafts = new Map<string, Draft>();
const mostDrafts = 50;

/** A form with all parameters of an operation and its body, and a button to send the request. */
export function RequestForm(props: RequestFormProps) {
  const { operation, described, isRead, origin, identity, places, children } = props;
  const { document } = useContext(Reading);
  const { method, path, route } = operation;
  const parameters = parametersOf(path, described.parameters);
  const [draft, setDraft] = useState(() => keptDraft(route, described) ?? createDraft(document, described));
  const isEmpty = parameters.length === 0 && !described.requestBody;
  const [attempts, setAttempts] = useState(0);
  const prepared = prepare(operation, parameters, draft);
  const problems = { ...prepared.problems, ...bodyProblem(draft) };
  const shown = attempts > 0 ? problems : {};
  const form = useRef<HTMLFormElement>(null);
  const { response, error, isSending, send, stop } = useSending(origin, identity);

  useLayoutEffect(() => {
    if (attempts > 0) form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  }, [attempts]);

  function write(changes: Partial<Draft>): void {
    const next = { ...draft, ...changes };
    setDraft(next);
    keepDraft(route, next);
  }

  async function submit(event: Event): Promise<void> {
    event.preventDefault();
    // The keyboard shortcut works even while the button is busy.
    if (isSending) return;
    setAttempts(attempts + 1);
    if (Object.keys(problems).length > 0) return;
    if (method !== "DELETE" || (await confirmDelete(prepared))) send(prepared);
  }

  return (
    <Panel title="Request" hint={isEmpty ? emptyHint(isRead) : undefined}>
      <form
        ref={form}
        class="request-form stack gap-11"
        noValidate
        onSubmit={submit}
        onKeyDown={(event) => {
          if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) submit(event);
        }}
      >
        {parameters.length > 0 && (
          <ParameterTable
            parameters={parameters}
            values={draft.values}
            problems={shown}
            sendsCookies={identity.sendsCookies}
            onWrite={(parameter, value) => write({ values: { ...draft.values, [keyOf(parameter)]: value } })}
          />
        )}
        {described.requestBody && (
          <BodyEditor body={described.requestBody} draft={draft} problem={shown.body} onWrite={write} />
        )}
        {children}
        <div class="send">
          <code class="send-address">
            {method} {prepared.request.address}
          </code>
          <div class="actions">
            <Button
              type="submit"
              look={method === "DELETE" ? "danger" : "primary"}
              icon={isSending ? "running" : "play"}
              disabled={isSending}
            >
              Send {method}
            </Button>
            {isSending && (
              <Button icon="stop" onClick={stop}>
                Stop
              </Button>
            )}
          </div>
          {method !== "GET" && (
            <p class="note warn">
              <Icon name="warn" />
              This is a real request. It may change data.
            </p>
          )}
        </div>
      </form>
      <ResponseView response={response} error={error} />
      <Samples request={prepared.request} origin={origin} places={places} />
    </Panel>
  );
}

function confirmDelete({ request: { address } }: Prepared): Promise<boolean> {
  return confirm({
    title: "Send this DELETE?",
    body: (
      <p>
        <code>DELETE {address}</code> is a real request. The deletion may be permanent.
      </p>
    ),
    action: "Yes, send it",
    isDangerous: true,
  });
}

/** A stored draft is discarded if the operation now has another kind of body. */
function keptDraft(route: string, { requestBody }: Operation): Draft | undefined {
  const kept = drafts.get(route);
  if (!kept) return undefined;
  const types = Object.keys(requestBody?.content ?? {});
  return kept.contentType === undefined || types.includes(kept.contentType) ? kept : undefined;
}

/** Files are omitted: a field that does not show a file must not send one. */
function keepDraft(route: string, draft: Draft): void {
  const texts = Object.entries(draft.form).filter(([, value]) => typeof value === "string");
  drafts.delete(route);
  drafts.set(route, { ...draft, form: Object.fromEntries(texts) });
  if (drafts.size > mostDrafts) drafts.delete(drafts.keys().next().value!);
}

function bodyProblem({ contentType, text }: Draft): { body?: string } {
  if (contentType === undefined || bodyKindOf(contentType) !== "json" || text === "") return {};
  const problem = problemOfJson(text);
  return problem === undefined ? {} : { body: problem };
}

/** Sends requests and stores the last response. */
function useSending(origin: string, identity: Identity) {
  const [state, setState] = useState<{ response?: ReceivedResponse; error?: Error; isSending?: boolean }>({});
  const running = useRef<AbortController | undefined>(undefined);
  useEffect(() => () => running.current?.abort(), []);

  function send({ request }: Prepared): void {
    const controller = new AbortController();
    running.current = controller;
    setState({ isSending: true });
    sendRequest({ request, origin, identity, signal: controller.signal }).then(
      (response) => setState({ response }),
      (error: Error) => setState({ error }),
    );
  }
  return { ...state, isSending: state.isSending ?? false, send, stop: () => running.current?.abort() };
}
