import { CodeBlock } from "../../explorer/code-block.tsx";
import { Empty } from "../../ui/feedback/notice.tsx";
import { Panel } from "../../ui/panel.tsx";

const example = `import { APIVersionManager, createApp } from "annex";

const versions = new APIVersionManager();
versions.registerVersion("v1", { title: "Todos" });
versions.setVersionRouteRegistrar("v1", (router) => {
  const api = router.setPrefix("/api/v1");
  api.get("/todos", (e) => e.json(200, []));
});

await createApp({ versions }).start();`;

/** Shown if the application has no routes at all: any route is part of a version. */
export function NoVersions() {
  return (
    <Panel title="Versions">
      <Empty icon="api" title="There are no routes to document">
        Register a route, and it appears here with its types, live metrics and a way to try it. The types come
        from the source of the handler. With versions, each version has a document of its own.
      </Empty>
      <CodeBlock text={example} label="How a version is registered" />
    </Panel>
  );
}
