import { useRef } from "preact/hooks";
import type { SavedView } from "../../../../src/features/dashboard/wire.ts";
import { send } from "../../data/api.ts";
import { groupViews } from "../../data/saved-views.ts";
import { useQuery } from "../../state/query.ts";
import { Button } from "../../ui/controls/button.tsx";
import { confirm, Dialog } from "../../ui/feedback/dialog.tsx";
import { Empty, Loaded } from "../../ui/feedback/notice.tsx";
import { attempt } from "../../ui/feedback/toast.tsx";
import { currentPage } from "../current-page.ts";
import { closeViews, saveView } from "./view-dialog.ts";
import { ViewRow } from "./view-row.tsx";
import "./views.css";

/** The saved views: those of this page first. They are loaded whenever the dialog is opened. */
export function ViewList() {
  const query = useQuery("/_/_/data/views");
  const content = useRef<HTMLDivElement>(null);

  async function remove({ id, name }: SavedView): Promise<void> {
    const body = <p>The view is removed from your account. Its data is not affected.</p>;
    const question = { title: `Delete “${name}”?`, body, action: "Delete", isDangerous: true };
    if (!(await confirm(question))) return;
    const act = () => send("DELETE /_/_/data/views/{id}", { id });
    const isDeleted = await attempt(act, `The view “${name}” is deleted.`);
    query.reload();
    // The button that had the focus disappears.
    if (isDeleted) content.current?.querySelector("button")?.focus();
  }

  return (
    <Dialog title="Saved views" onClose={closeViews}>
      <div class="view-list stack gap-11" ref={content}>
        <Button icon="bookmark" autofocus onClick={saveView}>
          Save this view…
        </Button>
        <Loaded query={query} lines={3}>
          {({ views }) => <Groups views={views} onRemove={remove} onChange={query.reload} />}
        </Loaded>
      </div>
    </Dialog>
  );
}

interface GroupsProps {
  readonly views: readonly SavedView[];
  onRemove(view: SavedView): Promise<void>;
  onChange(): void;
}

function Groups({ views, ...actions }: GroupsProps) {
  const { name, title } = currentPage.value;
  const { here, elsewhere } = groupViews(views, name);
  if (views.length === 0) {
    return (
      <Empty icon="bookmark" title="No saved views yet">
        Save a page with its filters and time range to open it again on any machine.
      </Empty>
    );
  }
  return (
    <>
      <Group title={title} views={here} {...actions} />
      <Group title="Other pages" views={elsewhere} {...actions} />
    </>
  );
}

function Group({ title, views, ...actions }: GroupsProps & { title: string }) {
  if (views.length === 0) return null;
  return (
    <section class="stack gap-4" aria-label={title}>
      <h3>{title}</h3>
      <ul class="divided">
        {views.map((view) => (
          <ViewRow key={view.id} view={view} {...actions} />
        ))}
      </ul>
    </section>
  );
}
