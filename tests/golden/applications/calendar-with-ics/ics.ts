export interface Attendee {
  name: string;
  email: string;
  answer?: "yes" | "no" | "maybe";
}

export interface CalendarEvent {
  id: string;
  calendar: string;
  title: string;
  startsAt: Date;
  endsAt: Date;
  attendees: Attendee[];
  place: string | null;
}

const stamp = (date: Date) => `${date.toISOString().replace(/[-:]/g, "").slice(0, 15)}Z`;
const escape = (text: string) => text.replace(/[\\;,]/g, (char) => `\\${char}`).replaceAll("\n", "\\n");

function* lines(events: CalendarEvent[]): Generator<string> {
  yield "BEGIN:VCALENDAR";
  yield "VERSION:2.0";
  yield "PRODID:-//Example//Calendar//EN";
  for (const event of events) {
    yield "BEGIN:VEVENT";
    yield `UID:${event.id}@calendar.example.com`;
    yield `DTSTART:${stamp(event.startsAt)}`;
    yield `DTEND:${stamp(event.endsAt)}`;
    yield `SUMMARY:${escape(event.title)}`;
    if (event.place !== null) yield `LOCATION:${escape(event.place)}`;
    for (const attendee of event.attendees)
      yield `ATTENDEE;CN=${escape(attendee.name)}:mailto:${attendee.email}`;
    yield "END:VEVENT";
  }
  yield "END:VCALENDAR";
}

export function toIcs(events: CalendarEvent[]): Uint8Array {
  return Buffer.from(`${[...lines(events)].join("\r\n")}\r\n`, "utf8");
}
