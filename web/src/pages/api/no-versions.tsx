import { Empty } from "../../ui/notice.tsx";
import { Panel } from "../../ui/panel.tsx";
import { CodeBlock } from "./code-block.tsx";

const example = `import { APIVersionManager, createApp } from "annex";

const versions = new APIVersionManager();
versions.registerVersion("v1", { title: "Todos" });
versions.setVersionRouteRegistrar("v1", (router) => {
  const api = router.setPrefix("/api/v1");
  api.get("/todos", (e) => e.json(200, []));
});

await createApp({ versions }).start();`;

/** For those who have not registered a version yet: how. */
export function NoVersions() {
  return (
    <Panel title="Versions">
      <Empty icon="api" title="No API version is registered">
        Register one, and its endpoints appear here with types, live figures and a way to try them. The types
        come from the source of the handlers.
      </Empty>
      <CodeBlock text={example} label="How a version is registered" />
    </Panel>
  );
}
