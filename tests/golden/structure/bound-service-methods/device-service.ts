// API_SOURCE
import type { RequestEvent } from "../../../../src/index.ts";

interface Device {
  id: string;
  label: string;
  site: string;
  online: boolean;
  lastSeen: Date | null;
}

interface Usage {
  deviceId: string;
  kilowattHours: number;
}

export class DeviceService {
  private readonly devices = new Map<string, Device>();
  private readonly site: string;

  constructor(site: string) {
    this.site = site;
  }

  /** List the devices of a site. */
  list(e: RequestEvent) {
    const site = e.query("site") ?? "all";
    const onlineOnly = e.query("online") === "true";
    const found = [...this.devices.values()].filter(
      (device) => (site === "all" || device.site === site) && (!onlineOnly || device.online),
    );
    return e.json(200, found);
  }

  /** Give a device another label. */
  async rename(e: RequestEvent<"id">) {
    const device = this.find(e);
    const { label } = await e.bindBody<{ label: string }>();
    if (this.isTaken(label)) throw e.error(409, "Another device has this label.");
    device.label = label;
    return e.json(200, device);
  }

  async restart(e: RequestEvent<"id">) {
    const device = this.find(e);
    if (!device.online) throw e.error(409, "The device is not connected.");
    return e.json(202, { device: device.id, startedAt: new Date() });
  }

  /** Return how much the devices have used. */
  report(days: number, e: RequestEvent) {
    const since = days === 7 ? this.beginOfWeek(e) : new Date();
    e.app.logger.debug("Reporting", { days, since });
    return e.json(200, this.usageSince(since));
  }

  private beginOfWeek(e: RequestEvent): Date {
    const firstDay = e.query("firstDay") ?? "monday";
    if (firstDay !== "monday" && firstDay !== "sunday") {
      throw e.error(400, "A week begins on monday or sunday.");
    }
    const now = new Date();
    now.setDate(now.getDate() - now.getDay() + (firstDay === "monday" ? 1 : 0));
    return now;
  }

  private usageSince(since: Date): Usage[] {
    return [...this.devices.values()]
      .filter((device) => device.lastSeen !== null && device.lastSeen >= since)
      .map((device) => ({ deviceId: device.id, kilowattHours: device.label.length * 0.1 }));
  }

  private find(e: RequestEvent<"id">): Device {
    const device = this.devices.get(e.pathValue("id"));
    if (!device) throw e.error(404, `There is no such device at ${this.site}.`);
    return device;
  }

  private isTaken(label: string): boolean {
    return [...this.devices.values()].some((device) => device.label === label);
  }
}
