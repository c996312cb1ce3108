/** Line icons on a grid of 20. Use them next to text, or in a button with a label. */
const drawings = {
  overview: "M3 11.5h4V17H3zM8 7h4v10H8zM13 3h4v14h-4z",
  requests: "M3 6h11M10 2.5 14 6l-4 3.5M17 14H6M10 10.5 6 14l4 3.5",
  errors: "M10 3 2.5 16.5h15zM10 8v4M10 14.4v.1",
  people:
    "M7.5 9.5a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM2 17c0-3 2.4-5 5.5-5s5.5 2 5.5 5M13.5 4a2.7 2.7 0 0 1 0 5.2M15 12.3c1.9.6 3 2.3 3 4.7",
  cron: "M10 17.5a7.5 7.5 0 1 0 0-15 7.5 7.5 0 0 0 0 15zM10 5.5V10l3 2",
  logs: "M4 4.5h12M4 8.2h8M4 11.8h12M4 15.5h6",
  key: "M13 11a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM10.2 9.8 3 17M5 15l2.2 2.2M8 12l2.2 2.2",
  api: "M7 4.5 2.5 10 7 15.5M13 4.5l4.5 5.5-4.5 5.5",
  config: "M3 6h6M13 6h4M3 14h3M10 14h7M11 6a2 2 0 1 0 0-.01M8 14a2 2 0 1 0 0-.01",
  search: "M8.7 14.4a5.7 5.7 0 1 0 0-11.4 5.7 5.7 0 0 0 0 11.4zM13 13l4 4",
  play: "M6 4v12l10-6z",
  pause: "M6.5 4v12M13.5 4v12",
  stop: "M5 5h10v10H5z",
  close: "M5 5l10 10M15 5 5 15",
  check: "M4 10.5 8 14.5 16 5.5",
  copy: "M7 7h9v10H7zM4 13V3h9",
  download: "M10 3v9M6 8.5l4 4 4-4M3.5 16.5h13",
  print: "M6 7V3h8v4M6 14H3.5V8.5h13V14H14M6 12h8v5H6z",
  link: "M8.5 11.5a3 3 0 0 0 4.3 0l3-3a3 3 0 0 0-4.3-4.3l-.8.8M11.5 8.5a3 3 0 0 0-4.3 0l-3 3a3 3 0 0 0 4.3 4.3l.8-.8",
  sun: "M10 13.5a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM10 1.5v2M10 16.5v2M1.5 10h2M16.5 10h2M4 4l1.4 1.4M14.6 14.6 16 16M4 16l1.4-1.4M14.6 5.4 16 4",
  moon: "M16.5 12A7 7 0 0 1 8 3.5 7 7 0 1 0 16.5 12z",
  bookmark: "M5.5 3h9v14L10 13.4 5.5 17z",
  pencil: "M4 16l.8-3.4L13.4 4 16 6.6 7.4 15.2zM11.4 6 14 8.6",
  more: "M4.5 9.5v1M10 9.5v1M15.5 9.5v1",
  down: "M5 8l5 5 5-5",
  right: "M8 5l5 5-5 5",
  filter: "M3 4h14l-5.5 6.5V16l-3 1v-6.5z",
  trash: "M4 5.5h12M8 5.5V3.5h4v2M5.5 5.5l.7 11h7.6l.7-11",
  restore: "M4 4v4h4M4.5 8A6.5 6.5 0 1 1 3.6 11.5",
  clock: "M10 17.5a7.5 7.5 0 1 0 0-15 7.5 7.5 0 0 0 0 15zM10 5.5V10l3 2",
  info: "M10 17.5a7.5 7.5 0 1 0 0-15 7.5 7.5 0 0 0 0 15zM10 9v5M10 6.2v.1",
  good: "M10 17.5a7.5 7.5 0 1 0 0-15 7.5 7.5 0 0 0 0 15zM6.5 10.3l2.4 2.4 4.6-5",
  bad: "M10 17.5a7.5 7.5 0 1 0 0-15 7.5 7.5 0 0 0 0 15zM7.3 7.3l5.4 5.4M12.7 7.3l-5.4 5.4",
  warn: "M10 3 2.5 16.5h15zM10 8v4M10 14.4v.1",
  running: "M10 2.5a7.5 7.5 0 1 1-7.5 7.5",
  idle: "M10 17.5a7.5 7.5 0 1 0 0-15 7.5 7.5 0 0 0 0 15zM6.5 10h7",
  out: "M8 4H4v12h4M13 6.5 16.5 10 13 13.5M16 10H8",
  person: "M10 9.5a3.3 3.3 0 1 0 0-6.6 3.3 3.3 0 0 0 0 6.6zM3.5 17.5c.3-3.3 3-5.3 6.5-5.3s6.2 2 6.5 5.3",
  lock: "M4.5 9h11v8.5h-11zM7 9V6.2a3 3 0 0 1 6 0V9",
  keyboard: "M2.5 5.5h15v9h-15zM5.5 8.5v.01M8.5 8.5v.01M11.5 8.5v.01M14.5 8.5v.01M6.5 11.5h7",
} as const;

export type IconName = keyof typeof drawings;

/** An icon by name, or the path of a drawing that is used in one place only. */
export type IconImage = IconName | `M${string}`;

export function Icon({ name, label }: { name: IconImage; label?: string }) {
  const look = isNamed(name) ? `icon icon-${name}` : "icon";
  const path = <path d={isNamed(name) ? drawings[name] : name} />;
  if (label === undefined) {
    return (
      <svg class={look} viewBox="0 0 20 20" aria-hidden="true">
        {path}
      </svg>
    );
  }
  return (
    <svg class={look} viewBox="0 0 20 20" role="img" aria-label={label}>
      {path}
    </svg>
  );
}

function isNamed(name: IconImage): name is IconName {
  return name in drawings;
}
