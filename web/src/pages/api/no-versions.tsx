import { attachedTo } from "../../data/attached-to.ts";
import { CodeBlock } from "../../explorer/code-block.tsx";
import { hrefTo } from "../../state/address.ts";
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

const attachedExample = `import { createApp } from "annex";

const annex = createApp();
annex.onServe(({ router }) => {
  router.get("/reports/{id}", (e) => e.json(200, { id: e.pathValue("id") }));
});

await annex.attach(app);`;

/** Shown if the application has no routes at all: any route is part of a version. */
export function NoVersions() {
  return attachedTo === undefined ? <NoRoutes /> : <OnlyRoutesOf framework={attachedTo} />;
}

/** The routes of another framework are observed, but not documented. */
function OnlyRoutesOf({ framework }: { framework: string }) {
  return (
    <Panel title="Versions">
      <Empty
        icon="api"
        title={`The routes of ${framework} are not documented`}
        action={
          <a class="button" href={hrefTo("requests", { tab: "routes" })}>
            Show their metrics
          </a>
        }
      >
        Annex is attached to {framework} and observes its routes, but documents only routes that are
        registered with Annex.
      </Empty>
      <CodeBlock text={attachedExample} label="How a route is registered" />
    </Panel>
  );
}

function NoRoutes() {
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
