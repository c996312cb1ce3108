/** Entry point of the dashboard's client. It renders into the page that `src/features/dashboard/page.ts` serves. */
import "./styles/tokens.css";
import "./styles/base.css";
import "./styles/controls.css";
import "./styles/parts.css";
import "./styles/tables.css";
import "./styles/charts.css";
import "./styles/shell.css";
import "./styles/dialogs.css";
import "./styles/layout.css";
import { render } from "preact";
import { formatTimesIn } from "./format/times.ts";
import { pages } from "./pages/index.ts";
import { listenToKeys } from "./shell/keys.tsx";
import { prefetchPages } from "./shell/page.tsx";
import { Shell } from "./shell/shell.tsx";
import { followLinks } from "./state/address.ts";
import { followLive } from "./state/live.ts";
import { followClock } from "./state/time-window.ts";
import { zoneName } from "./state/zone.ts";

formatTimesIn(zoneName);
followLinks();
followClock();
followLive();
listenToKeys();
prefetchPages(pages);
render(<Shell />, document.getElementById("app")!);
