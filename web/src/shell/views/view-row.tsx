import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { SavedView } from "../../../../src/features/dashboard/wire.ts";
import { send } from "../../data/api.ts";
import { root } from "../../data/root.ts";
import { maxNameLength, parseView } from "../../data/saved-views.ts";
import { pages } from "../../pages/index.ts";
import { storedHere } from "../../state/address.ts";
import { Button, IconButton } from "../../ui/controls/button.tsx";
import { Icon } from "../../ui/icon.tsx";
import { closeViews } from "./view-dialog.ts";
import { describeRange } from "./view-range.ts";

interface ViewRowProps {
  readonly view: SavedView;
  onRemove(view: SavedView): Promise<void>;
  /** The view has changed, or no longer exists. */
  onChange(): void;
}

/** A saved view. Its name is edited in place. */
export function ViewRow({ view, onRemove, onChange }: ViewRowProps) {
  const [isRenaming, setRenaming] = useState(false);
  const [wasRenamed, setRenamed] = useState(false);
  const row = useRef<HTMLLIElement>(null);
  // The field that had the focus has disappeared.
  useLayoutEffect(() => {
    if (wasRenamed && !isRenaming) row.current?.querySelector<HTMLElement>("[data-rename]")?.focus();
  }, [wasRenamed, isRenaming]);
  if (isRenaming) {
    const finish = () => {
      setRenaming(false);
      setRenamed(true);
    };
    return (
      <li ref={row}>
        <RenameForm view={view} onClose={finish} onChange={onChange} />
      </li>
    );
  }
  return (
    <li class="view-row row gap-4" ref={row}>
      <ViewLink view={view} />
      <IconButton
        name={`Rename “${view.name}”`}
        icon="pencil"
        data-rename
        onClick={() => setRenaming(true)}
      />
      <IconButton name={`Delete “${view.name}”`} icon="trash" onClick={() => onRemove(view)} />
    </li>
  );
}

function ViewLink({ view }: { view: SavedView }) {
  const { page: name, params } = parseView(view);
  const page = pages.find((each) => each.name === name) ?? pages[0]!;
  const isCurrent = view.address === storedHere();
  return (
    <a
      class="entry-link grow"
      href={root + view.address}
      {...(isCurrent && { "aria-current": "true" as const })}
      onClick={(event) => {
        // Other clicks open a new tab or window.
        if (!event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey) closeViews();
      }}
    >
      <span class="strong">{view.name}</span>
      <span class="hint row gap-4">
        <Icon name={page.icon} />
        {page.title} · {describeRange(page.name, params).text}
        {isCurrent && " · open now"}
      </span>
    </a>
  );
}

function RenameForm({ view, onClose, onChange }: { view: SavedView; onClose(): void; onChange(): void }) {
  const [name, setName] = useState(view.name);
  const [problem, setProblem] = useState<string | undefined>(undefined);
  const field = useRef<HTMLInputElement>(null);
  // Before the next frame, so that no key that follows the click is lost.
  useLayoutEffect(() => field.current?.select(), []);

  async function submit(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    try {
      await send("PATCH /_/_/data/views/{id}", { id: view.id }, { name });
      onChange();
      onClose();
    } catch (error) {
      setProblem((error as Error).message);
    }
  }

  return (
    <form class="view-row stack gap-4" onSubmit={submit}>
      <div class="row gap-4">
        <input
          ref={field}
          required
          class="grow"
          maxLength={maxNameLength}
          autocomplete="off"
          aria-label={`New name of “${view.name}”`}
          aria-invalid={problem !== undefined}
          value={name}
          onInput={(event) => setName(event.currentTarget.value)}
          onKeyDown={(event) => {
            // The dialog stays open.
            if (event.key !== "Escape") return;
            event.preventDefault();
            onClose();
          }}
        />
        <Button look="primary" type="submit">
          Rename
        </Button>
        <Button onClick={onClose}>Cancel</Button>
      </div>
      {problem && (
        <p class="field-problem" role="alert">
          {problem}
        </p>
      )}
    </form>
  );
}
