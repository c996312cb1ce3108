import type { ApiOperation } from "../../../../src/features/docs/wire.ts";
import { Badge } from "../../ui/status.tsx";

/** The common prefix of a version is dimmed, and parameters are highlighted. */
export function Path({ path, version }: { path: string; version: string }) {
  const prefix = path.startsWith(`/api/${version}/`) ? `/api/${version}` : "";
  const parts = path.slice(prefix.length).split(/(\{[^}]*\})/);
  return (
    <code class="path">
      {prefix && <span class="path-prefix quiet">{prefix}</span>}
      {parts.map((part, index) =>
        index % 2 === 1 ? (
          <span key={index} class="path-value">
            {part}
          </span>
        ) : (
          part
        ),
      )}
    </code>
  );
}

export function OperationBadges({
  operation: { deprecated, auth, documented },
}: {
  operation: ApiOperation;
}) {
  return (
    <span class="operation-badges cluster inline gap-4">
      {deprecated && <Badge tone="warn">deprecated</Badge>}
      {auth === "any" && <Badge>signed in</Badge>}
      {auth === "superuser" && <Badge tone="info">superuser</Badge>}
      {!documented && <Badge tone="warn">not documented</Badge>}
    </span>
  );
}
