import { requireSuperuserAuth } from "../auth/index.ts";
import { neverCached, type RequestEvent, type RootRouter } from "../http/index.ts";
import { refuseInvalid } from "../lib/fields.ts";
import { toApiOverview, toDiffAnswer } from "./data-answers.ts";
import type { Docs } from "./docs.ts";
import { answerDocument, findShown, superuserOf } from "./document-answer.ts";
import { diffVersions } from "./version-diff.ts";
import type { Version } from "./versions/version.ts";

/** What the dashboard's API page reads. Who looks at it is not counted among those who use the API. */
export function mountDocsData(root: RootRouter, docs: Docs): void {
  const data = root.uncounted().setPrefix("/_/_/data");
  data.bind(requireSuperuserAuth(), neverCached);

  data.get("/api", async (e) => {
    // Nobody waits for the source here: the answer says how far it has been read, and can be asked for again.
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
