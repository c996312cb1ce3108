// API_SOURCE
import { randomUUID } from "node:crypto";
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";
import { type Attendee, type CalendarEvent, toIcs } from "./ics.ts";

interface NewEvent {
  title: string;
  startsAt: string;
  endsAt: string;
  place?: string;
  attendees?: Attendee[];
}

const WEEK = 7 * 24 * 60 * 60 * 1000;
const calendars = new Map<string, Map<string, CalendarEvent>>();

function calendarOf(e: RequestEvent<"calendar">) {
  const calendar = calendars.get(e.pathValue("calendar"));
  if (!calendar) throw e.error(404, "There is no such calendar.");
  return calendar;
}

function timeOf(e: RequestEvent, name: string, fallback: Date): Date {
  const raw = e.query(name);
  if (raw === undefined) return fallback;
  const time = new Date(raw);
  if (Number.isNaN(time.getTime())) throw e.error(400, `${name} is not a time.`);
  return time;
}

function sendIcs(e: RequestEvent, events: CalendarEvent[]) {
  e.setHeader("Content-Disposition", 'inline; filename="calendar.ics"');
  return e.bytes(200, "text/calendar", toIcs(events));
}

/** Lists the events of a calendar between two times, by default of the next week. */
function listEvents(e: RequestEvent<"calendar">) {
  const from = timeOf(e, "from", new Date());
  const to = timeOf(e, "to", new Date(from.getTime() + WEEK));
  const events = [...calendarOf(e).values()].filter((event) => event.endsAt > from && event.startsAt < to);
  return e.json(200, { events, from: from.toISOString(), to: to.toISOString() });
}

/** Adds an event. */
async function addEvent(e: RequestEvent<"calendar">) {
  const calendar = calendarOf(e);
  const { title, startsAt, endsAt, place, attendees } = await e.bindBody<NewEvent>();
  const event: CalendarEvent = {
    id: randomUUID(),
    calendar: e.pathValue("calendar"),
    title,
    startsAt: new Date(startsAt),
    endsAt: new Date(endsAt),
    attendees: attendees ?? [],
    place: place ?? null,
  };
  if (event.endsAt <= event.startsAt) throw e.error(422, "The event ends before it begins.");
  calendar.set(event.id, event);
  e.setHeader("Location", `/calendars/${event.calendar}/events/${event.id}`);
  return e.json(201, event);
}

/** Returns one event, as JSON or as iCalendar. */
function getEvent(e: RequestEvent<"calendar" | "eventId">) {
  const event = calendarOf(e).get(e.pathValue("eventId"));
  if (!event) throw e.error(404, "There is no such event.");
  if (e.header("Accept")?.includes("text/calendar")) return sendIcs(e, [event]);
  return e.json(200, event);
}

/** Removes an event. */
function removeEvent(e: RequestEvent<"calendar" | "eventId">) {
  if (!calendarOf(e).delete(e.pathValue("eventId"))) throw e.error(404, "There is no such event.");
  return e.noContent();
}

/** Returns the whole calendar, for applications that subscribe to it. */
function subscribe(e: RequestEvent<"calendar">) {
  return sendIcs(e, [...calendarOf(e).values()]);
}

export function routes(router: VersionedRouter): void {
  router.get("/calendars/{calendar}/events", listEvents);
  router.post("/calendars/{calendar}/events", addEvent);
  router.get("/calendars/{calendar}/events/{eventId}", getEvent);
  router.delete("/calendars/{calendar}/events/{eventId}", removeEvent);
  router.get("/calendars/{calendar}/feed.ics", subscribe);
}
