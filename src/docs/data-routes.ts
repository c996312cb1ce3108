import { requireSuperuserAuth } from "../auth/index.ts";
import { neverCached, type RequestEvent, type RootRouter } from "../http/index.ts";
import { refuseInvalid } from "../lib/fields.ts";
import { toApiOverview, toDiffAnswer } from "./data-answers.ts";
import type { Docs } from "./docs.ts";
import { answerDocument, findShown, superuserOf } from "./document-answer.ts";
import { diffVersions } from "./version-diff.ts";
import type { Version } from "./versions/version.ts";

/** Routes for the dashboard's API page. Their requests are excluded from the API's metrics. */
export function mountDocsData(root: RootRouter, docs: Docs): void {
  const data = root.uncounted().setPrefix("/_/_/data");
  data.bind(requireSuperuserAuth(), neverCached);

  data.get("/api", async (e) => {
    // Does not wait for the analysis: the response includes its state, and the client can request it again.
    docs.learn().catch(() => {});
    return e.json(200, await toApiOverview(docs, superuserOf(e)));
  });

  data.get("/api-diff", async (e) => {
    const { from, to } = readLabels(e);
    const [old, next] = [findShown(docs, from), findShown(docs, to)];
    await docs.settle();
    const describe = async (version: Version) => ({
      version,
      document: await docs.press.create(version, superuserOf(e)),
    });
    const diff = diffVersions(await describe(old), await describe(next));
    return e.json(200, toDiffAnswer(from, to, diff));
  });

  data.get("/api/{version}", (e) =>
    answerDocument(e, docs, findShown(docs, e.pathValue("version")), { isSuperuser: true }),
  );
}

function readLabels(e: RequestEvent<never>): { from: string; to: string } {
  const [from = "", to = ""] = [e.query("from"), e.query("to")];
  const problemOf = (name: string, label: string) => {
    const message = `The value of ${name} must be the label of a version, such as v1.`;
    return label === "" ? { code: "required", message } : undefined;
  };
  refuseInvalid({ from: problemOf("from", from), to: problemOf("to", to) });
  return { from, to };
}
