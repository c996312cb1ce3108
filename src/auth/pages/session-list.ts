import { type Html, html } from "../../http/index.ts";
import { dayMs, hourMs, minuteMs } from "../../lib/time/units.ts";
import type { Session } from "../sessions/sessions.ts";

/** The list of the superuser's own sessions and tokens on the account page. */

export interface SessionListView {
  readonly sessions: readonly Session[];
  /** Total number of sessions. The list shows the most recently used ones. */
  readonly total: number;
  readonly now: number;
}

export function sessionList({ sessions, total, now }: SessionListView): Html {
  const hidden = total - sessions.length;
  return html`<section class="card">
<div class="intro">
<h2>Sessions and tokens</h2>
<p class="quiet">Browsers and programs that are signed in with your account. If you do not recognize one, end it and change your password.</p>
</div>
<ul class="sessions">
${sessions.map((session) => sessionItem(session, now))}
</ul>
${hidden > 0 && html`<p class="quiet">${hidden} more, used less recently, are not shown.</p>`}
${total > 1 && html`<form method="post" action="/_/sessions/end-others"><button class="plain">End all others</button></form>`}
</section>`;
}

function sessionItem(session: Session, now: number): Html {
  const { id, kind, agent, address, signedIn, lastUsed, isCurrent } = session;
  const used = isCurrent ? "In use now" : html`Last used ${timeOf(lastUsed, now)}`;
  return html`<li>
<div class="session">
<p><strong>${agent}</strong> <span class="tag">${kind === "session" ? "Browser" : "API token"}</span>${isCurrent && html` <span class="tag current">This session</span>`}</p>
<p class="quiet">${address ?? "Unknown address"} · ${used} · Signed in ${timeOf(signedIn, now)}</p>
</div>
${!isCurrent && html`<form method="post" action="/_/sessions/${id}/end"><button class="plain" aria-label="End the session of ${agent}, last used ${ago(lastUsed, now)}">End</button></form>`}
</li>`;
}

/** The exact time is in the tooltip, because a page without scripts does not know the reader's time zone. */
function timeOf(time: Date, now: number): Html {
  const exact = `${time.toISOString().slice(0, 16).replace("T", " ")} UTC`;
  return html`<time datetime="${time.toISOString()}" title="${exact}">${ago(time, now)}</time>`;
}

const units = [
  [dayMs, "day"],
  [hourMs, "hour"],
  [minuteMs, "minute"],
] as const;

function ago(time: Date, now: number): string {
  const passed = now - time.getTime();
  const [size, unit] = units.find(([size]) => passed >= size) ?? [];
  if (size === undefined) return "just now";
  const count = Math.floor(passed / size);
  return `${count} ${unit}${count === 1 ? "" : "s"} ago`;
}
