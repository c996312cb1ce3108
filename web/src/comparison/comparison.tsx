import { param } from "../state/address.ts";
import { lazily } from "../ui/feedback/lazy.tsx";

const Drawer = lazily(async () => (await import("./comparison-drawer.tsx")).ComparisonDrawer, null);

/** Shows the comparison that the URL asks for, on any page. */
export function Comparison() {
  const text = param("changed");
  return text === undefined ? null : <Drawer text={text} />;
}
