import type { MonthDay, NthWeekday } from "./relative-day.ts";
import type { Schedule } from "./schedule.ts";

const monthNames = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
];
const dayNames = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];

/** Longer lists are easier to read as an expression. */
const maxListed = 4;

/** Every month has the days up to this one. */
const lastCommonDay = 28;

/** Describes a schedule in words. Returns the expression if a description would be wrong or too long. */
export function describeSchedule(schedule: Schedule): string {
  const time = sayTime(schedule);
  const days = sayDays(schedule);
  if (time === undefined || days === undefined) return schedule.expression;
  const isEveryDay = days === "";
  if (isEveryDay) return time.startsWith("at") && !time.endsWith("hour") ? `${time} every day` : time;
  return /^[A-Z]/.test(days) ? `${time}, ${days}` : `${time} ${days}`;
}

function sayTime({ minutes, hours }: Schedule): string | undefined {
  if (minutes.length * hours.length <= maxListed) return sayTimesOfDay(minutes, hours);
  const pace = sayPace(minutes);
  if (hours.length === 24) return pace ?? sayMinutes(minutes);
  if (minutes.length === 1) {
    const step = evenStep(hours, 24);
    if (step !== undefined) return sayHours(step, minutes[0]!);
  }
  const canSpan = isRow(hours) && (pace !== undefined || minutes.length === 1);
  if (!canSpan) return undefined;
  const [first, last] = [clock(hours[0]!, minutes[0]!), clock(hours.at(-1)!, minutes.at(-1)!)];
  return `${pace ?? "every hour"} from ${first} to ${last}`;
}

function sayTimesOfDay(minutes: readonly number[], hours: readonly number[]): string {
  return `at ${list(hours.flatMap((hour) => minutes.map((minute) => clock(hour, minute))))}`;
}

/** Describes even intervals that also continue across the end of the hour. */
function sayPace(minutes: readonly number[]): string | undefined {
  const step = evenStep(minutes, 60);
  if (step === undefined) return undefined;
  if (step === 60) return "every hour";
  return step === 1 ? "every minute" : `every ${step} minutes`;
}

function sayMinutes(minutes: readonly number[]): string | undefined {
  if (minutes.length > maxListed) return undefined;
  const unit = minutes.length === 1 && minutes[0] === 1 ? "minute" : "minutes";
  return `at ${list(minutes.map(String))} ${unit} past every hour`;
}

function sayHours(step: number, minute: number): string {
  if (minute === 0) return `every ${step} hours`;
  return `every ${step} hours, at ${minute} ${minute === 1 ? "minute" : "minutes"} past`;
}

/** Describes the days; empty for every day. */
function sayDays(schedule: Schedule): string | undefined {
  const { days, weekdays, months, needsBothDays } = schedule;
  const [allDays, allWeekdays, allMonths] = [days.length === 31, weekdays.length === 7, months.length === 12];
  if (needsBothDays ? allDays && allWeekdays : allDays || allWeekdays) {
    return allMonths ? "" : prefix("every day ", sayMonths(months));
  }
  if (needsBothDays && !allDays && !allWeekdays) return undefined;
  // A date that is in one of these lists matches.
  const dates = allDays ? [] : [...days.map(toDate), ...schedule.relativeDays.map(sayMonthDay)];
  dates.push(...sayNthWeekdays(schedule.relativeWeekdays));
  const plainWeekdays = allWeekdays ? [] : weekdays;
  if (plainWeekdays.length === 0) return sayDatesInMonths(dates, schedule);
  const ofWeek = sayWeekdays(plainWeekdays);
  if (dates.length > 0) {
    const canJoin =
      allMonths && dates.every(({ isInEveryMonth }) => isInEveryMonth) && ofWeek?.startsWith("on ");
    const ofMonth = canJoin ? sayDatesInMonths(dates, schedule) : undefined;
    return ofMonth && `${ofMonth} and ${ofWeek}`;
  }
  if (allMonths || ofWeek === undefined) return ofWeek;
  return prefix(`${ofWeek} `, sayMonths(months));
}

function sayWeekdays(weekdays: readonly number[]): string | undefined {
  const key = weekdays.join("");
  if (key === "12345") return "on weekdays";
  if (key === "06") return "at weekends";
  if (weekdays.length < 3) return `on ${list(weekdays.map((day) => `${dayNames[day]}s`))}`;
  // Weeks start on Monday and end on Sunday.
  const fromMonday = weekdays.map((day) => day || 7).sort((one, other) => one - other);
  const row = [weekdays, fromMonday].find(isRow);
  if (row) return `${dayNames[row[0]!]} to ${dayNames[row.at(-1)!]}`;
  return weekdays.length <= maxListed
    ? `on ${list(fromMonday.map((day) => `${dayNames[day]}s`))}`
    : undefined;
}

/** One or more dates of a month, as the words after "on the". */
interface DatePhrase {
  readonly words: string;
  readonly count: number;
  readonly isInEveryMonth: boolean;
}

function toDate(day: number): DatePhrase {
  return { words: ordinal(day), count: 1, isInEveryMonth: day <= lastCommonDay };
}

function sayMonthDay({ day, isMovedToWeekday }: MonthDay): DatePhrase {
  const isInEveryMonth = Math.abs(day) <= lastCommonDay - (day > 0 ? 0 : 1);
  const phrase = { count: 1, isInEveryMonth };
  if (!isMovedToWeekday) return { words: `the ${sayFromEnd(day)}`, ...phrase };
  if (day === 0) return { words: "the last weekday", ...phrase };
  if (day === 1) return { words: "the first weekday", ...phrase };
  return { words: `the weekday nearest to the ${day > 0 ? ordinal(day) : sayFromEnd(day)}`, ...phrase };
}

function sayFromEnd(day: number): string {
  if (day === 0) return "last day";
  return day === -1 ? "day before the last day" : `${ordinal(-day)} day before the last day`;
}

const nthNames = ["first", "second", "third", "fourth", "fifth"];

/** One phrase per weekday, such as "the first and third Friday". */
function sayNthWeekdays(days: readonly NthWeekday[]): DatePhrase[] {
  const byWeekday = Map.groupBy(days, ({ weekday }) => weekday);
  return [...byWeekday].map(([weekday, same]) => {
    const names = same.map(({ nth }) => (nth === "last" ? nth : nthNames[nth - 1]!));
    return {
      words: `the ${list(names)} ${dayNames[weekday]}`,
      count: same.length,
      isInEveryMonth: !names.includes("fifth"),
    };
  });
}

function sayDatesInMonths(dates: readonly DatePhrase[], { days, months }: Schedule): string | undefined {
  const total = dates.reduce((sum, { count }) => sum + count, 0);
  if (months.length === 1 && total === 1 && days.length === 1) {
    return `on ${days[0]} ${monthNames[months[0]! - 1]}`;
  }
  const isSure = dates.every(({ isInEveryMonth }) => isInEveryMonth);
  if (total > maxListed || (!isSure && total > 1)) return undefined;
  const on = `on the ${list(dates.map(({ words }) => words)).replace(/^the /, "")}`;
  if (months.length === 12) return `${on} of every month${isSure ? "" : " that has one"}`;
  if (!isSure || months.length > maxListed) return undefined;
  return `${on} of ${list(months.map((month) => monthNames[month - 1]!))}`;
}

function sayMonths(months: readonly number[]): string | undefined {
  const names = months.map((month) => monthNames[month - 1]!);
  if (months.length > 2 && isRow(months)) return `from ${names[0]} to ${names.at(-1)}`;
  return months.length <= maxListed ? `in ${list(names)}` : undefined;
}

/** The step between values if it is constant, wraps around and starts at zero. */
function evenStep(values: readonly number[], round: number): number | undefined {
  const step = round / values.length;
  return Number.isInteger(step) && values.every((value, index) => value === index * step) ? step : undefined;
}

function isRow(values: readonly number[]): boolean {
  return values.at(-1)! - values[0]! === values.length - 1;
}

function clock(hour: number, minute: number): string {
  return [hour, minute].map((part) => `${part}`.padStart(2, "0")).join(":");
}

function list(words: readonly string[]): string {
  return words.length === 1 ? words[0]! : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
}

function prefix(before: string, words: string | undefined): string | undefined {
  return words === undefined ? undefined : before + words;
}

function ordinal(day: number): string {
  const isTeen = day >= 11 && day <= 13;
  return `${day}${(isTeen ? undefined : ["th", "st", "nd", "rd"][day % 10]) ?? "th"}`;
}
