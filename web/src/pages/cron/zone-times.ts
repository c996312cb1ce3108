const formatters = new Map<string, Intl.DateTimeFormat>();

/** "Mon 16 Nov, 02:30" in the given time zone, or in UTC if the browser does not know the zone. */
export function formatInZone(time: number, zone: string): string {
  let formatter = formatters.get(zone);
  if (!formatter) {
    formatter = createFormatter(zone);
    formatters.set(zone, formatter);
  }
  return formatter.format(time);
}

function createFormatter(timeZone: string): Intl.DateTimeFormat {
  const options = {
    weekday: "short",
    day: "numeric",
    month: "short",
    hour: "2-digit",
    minute: "2-digit",
  } as const;
  try {
    return new Intl.DateTimeFormat("en-GB", { ...options, timeZone });
  } catch {
    return new Intl.DateTimeFormat("en-GB", { ...options, timeZone: "UTC", timeZoneName: "short" });
  }
}
