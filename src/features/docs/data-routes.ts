import { requireSuperuserAuth } from "../../auth/index.ts";
import { compress, neverCached, query, type RootRouter, readQuery } from "../../http/index.ts";
import { toApiOverview, toDiffResponse } from "./data-responses.ts";
import type { Docs } from "./docs.ts";
import { findShown, sendDocument, superuserOf } from "./document-response.ts";
import { diffVersions } from "./version-diff.ts";
import type { Version } from "./versions/version.ts";

const label = query.required("the label of a version, such as v1");

/** Routes for the dashboard's API page. Their requests are excluded from the API's metrics. */
export function mountDocsData(root: RootRouter, docs: Docs): void {
  const data = root.uncounted().setPrefix("/_/_/data");
  data.bind(requireSuperuserAuth(), neverCached, compress());

  data.get("/api", async (e) => {
    // Does not wait for the analysis: the response includes its state, and the client can request it again.
    docs.analyze().catch(() => {});
    return e.json(200, await toApiOverview(docs, superuserOf(e)));
  });

  data.get("/api-diff", async (e) => {
    const { from, to } = readQuery(e, { from: label, to: label });
    const [old, next] = [findShown(docs, from), findShown(docs, to)];
    await docs.settle();
    const describe = async (version: Version) => ({
      version,
      document: await docs.builder.create(version, superuserOf(e)),
    });
    const diff = diffVersions(await describe(old), await describe(next));
    return e.json(200, toDiffResponse(from, to, diff));
  });

  data.get("/api/{version}", (e) =>
    sendDocument(e, docs, findShown(docs, e.pathValue("version")), { isSuperuser: true }),
  );
}
