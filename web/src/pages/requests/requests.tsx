import "./requests.css";
import { param, setParams } from "../../state/address.ts";
import { TraceDrawer } from "../../trace/trace-drawer.tsx";
import { Tabs } from "../../ui/controls/choice.tsx";
import { PageHead } from "../../ui/panel.tsx";
import { RequestList } from "./request-list.tsx";
import { RouteTab } from "./route-tab.tsx";
import { hrefToTrace, SlowestTab } from "./slowest-tab.tsx";

const tabs = [
  { value: "list", label: "Requests" },
  { value: "routes", label: "Routes" },
  { value: "slowest", label: "Slowest" },
] as const;

type Tab = (typeof tabs)[number]["value"];

/** All requests, metrics by route, and the slowest requests. */
export function Requests() {
  const tab = tabs.find(({ value }) => value === param("tab"))?.value ?? "list";
  const trace = param("trace");
  const choose = (wanted: Tab) =>
    setParams({ tab: wanted === "list" ? undefined : wanted, route: undefined, trace: undefined });
  return (
    <>
      <PageHead title="Requests" />
      <Tabs name="View" value={tab} options={tabs} onChoose={choose}>
        {tab === "list" && <RequestList />}
        {tab === "routes" && <RouteTab />}
        {tab === "slowest" && <SlowestTab />}
      </Tabs>
      {tab !== "list" && trace !== undefined && (
        <TraceDrawer trace={trace} onClose={() => setParams({ trace: undefined })} hrefOf={hrefToTrace} />
      )}
    </>
  );
}
