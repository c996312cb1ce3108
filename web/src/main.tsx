/** Entry point of the dashboard's client. It renders into the page that `src/dashboard/page.ts` serves. */
import "./styles/tokens.css";
import "./styles/base.css";
import "./styles/shell.css";
import "./styles/parts.css";
import "./styles/charts.css";
import { render } from "preact";
import { listenToKeys } from "./shell/keys.tsx";
import { Shell } from "./shell/shell.tsx";
import { followLinks } from "./state/address.ts";
import { followLive } from "./state/live.ts";
import { followClock } from "./state/time-window.ts";

followLinks();
followClock();
followLive();
listenToKeys();
render(<Shell />, document.getElementById("app")!);
