import { downloadText, toFileName } from "../data/download.ts";
import { param } from "../state/address.ts";
import type { TimeWindow } from "../state/time-window.ts";
import { toast } from "../ui/feedback/toast.tsx";
import { collectIncident } from "./incident.ts";
import { toHtml } from "./to-html.ts";
import { toNdjson } from "./to-ndjson.ts";

const formats = {
  html: { write: toHtml, type: "text/html" },
  ndjson: { write: toNdjson, type: "application/x-ndjson" },
} as const;

export type IncidentFormat = keyof typeof formats;

/** Downloads a file with everything about a period. */
export async function saveIncident(window: TimeWindow, format: IncidentFormat): Promise<void> {
  const { write, type } = formats[format];
  try {
    const incident = await collectIncident(window, param("instance"));
    const name = `incident-${new Date(window.from).toISOString().slice(0, 16)}`;
    downloadText(`${toFileName(name)}.${format}`, write(incident), type);
  } catch (error) {
    toast(`The incident file was not created: ${(error as Error).message}`, "bad");
  }
}
