/** The dashboard's client: it begins here, and draws into the frame that `src/dashboard/page.ts` gives it. */
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
