import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { describeSchedule } from "./describe-schedule.ts";
import { parseSchedule } from "./schedule.ts";

const cases: [expression: string, words: string][] = [
  ["* * * * *", "every minute"],
  ["*/1 * * * *", "every minute"],
  ["*/5 * * * *", "every 5 minutes"],
  ["0,15,30,45 * * * *", "every 15 minutes"],
  ["*/30 * * * *", "every 30 minutes"],
  ["0 * * * *", "every hour"],
  ["17 * * * *", "at 17 minutes past every hour"],
  ["1 * * * *", "at 1 minute past every hour"],
  ["10,40 * * * *", "at 10 and 40 minutes past every hour"],
  ["0 */2 * * *", "every 2 hours"],
  ["0 */4 * * *", "every 4 hours"],
  ["30 */3 * * *", "every 3 hours, at 30 minutes past"],
  ["0 */6 * * *", "at 00:00, 06:00, 12:00 and 18:00 every day"],
  ["0 */12 * * *", "at 00:00 and 12:00 every day"],
  ["30 3 * * *", "at 03:30 every day"],
  ["0,30 9 * * *", "at 09:00 and 09:30 every day"],
  ["0 9 * * MON-FRI", "at 09:00 on weekdays"],
  ["0 9 * * 1-5", "at 09:00 on weekdays"],
  ["0 9 * * 6,0", "at 09:00 at weekends"],
  ["0 9 * * 7", "at 09:00 on Sundays"],
  ["0 9 * * MON,THU", "at 09:00 on Mondays and Thursdays"],
  ["0 9 * * MON,WED,FRI", "at 09:00 on Mondays, Wednesdays and Fridays"],
  ["0 9 * * MON-SAT", "at 09:00, Monday to Saturday"],
  ["0 9 * * FRI-SUN", "at 09:00, Friday to Sunday"],
  ["0 9 * * 0-4", "at 09:00, Sunday to Thursday"],
  ["*/5 9-17 * * MON-FRI", "every 5 minutes from 09:00 to 17:55 on weekdays"],
  ["* 2 * * *", "every minute from 02:00 to 02:59"],
  ["0 9-17 * * *", "every hour from 09:00 to 17:00"],
  ["30 9-17 * * *", "every hour from 09:30 to 17:30"],
  ["*/5 * * * SAT", "every 5 minutes on Saturdays"],
  ["0 0 1 * *", "at 00:00 on the 1st of every month"],
  ["0 0 2,3,11,22 * *", "at 00:00 on the 2nd, 3rd, 11th and 22nd of every month"],
  ["0 0 31 * *", "at 00:00 on the 31st of every month that has one"],
  ["0 0 1 1 *", "at 00:00 on 1 January"],
  ["0 0 29 2 *", "at 00:00 on 29 February"],
  ["0 0 1 1,4,7,10 *", "at 00:00 on the 1st of January, April, July and October"],
  ["0 6 * 6-8 *", "at 06:00 every day from June to August"],
  ["0 6 * 12 MON", "at 06:00 on Mondays in December"],
  // Either day matches; "and" in the description names both.
  ["0 0 13 * FRI", "at 00:00 on the 13th of every month and on Fridays"],
  ["0 0 */1 * FRI", "at 00:00 on Fridays"],
  ["0 0 1-31 * FRI", "at 00:00 every day"],
  ["0 6 L * *", "at 06:00 on the last day of every month"],
  ["0 6 L-1 * *", "at 06:00 on the day before the last day of every month"],
  ["0 6 L-3 * *", "at 06:00 on the 3rd day before the last day of every month"],
  ["0 6 L-28 * *", "at 06:00 on the 28th day before the last day of every month that has one"],
  ["0 6 LW * *", "at 06:00 on the last weekday of every month"],
  ["0 6 1W * ?", "at 06:00 on the first weekday of every month"],
  ["0 6 15W * *", "at 06:00 on the weekday nearest to the 15th of every month"],
  ["0 6 31W * *", "at 06:00 on the weekday nearest to the 31st of every month that has one"],
  ["0 6 L-2W * *", "at 06:00 on the weekday nearest to the 2nd day before the last day of every month"],
  ["0 6 1,L * *", "at 06:00 on the 1st and the last day of every month"],
  ["0 6 L 2 *", "at 06:00 on the last day of February"],
  ["0 6 LW 3,6,9,12 *", "at 06:00 on the last weekday of March, June, September and December"],
  ["0 6 * * 5L", "at 06:00 on the last Friday of every month"],
  ["0 6 ? * FRI#2", "at 06:00 on the second Friday of every month"],
  ["0 6 * * 7#5", "at 06:00 on the fifth Sunday of every month that has one"],
  ["0 6 * * 1#1,1#3", "at 06:00 on the first and third Monday of every month"],
  ["0 6 * * 1#1,5L", "at 06:00 on the first Monday and the last Friday of every month"],
  ["0 6 * 11 4#4", "at 06:00 on the fourth Thursday of November"],
  ["0 6 * * MON,5L", "at 06:00 on the last Friday of every month and on Mondays"],
  ["0 6 15W * 5L", "at 06:00 on the weekday nearest to the 15th and the last Friday of every month"],
  ["0 6 L * 1", "at 06:00 on the last day of every month and on Mondays"],
  ["*/5 9-17 L * *", "every 5 minutes from 09:00 to 17:55 on the last day of every month"],
  ["@hourly", "every hour"],
  ["@weekly", "at 00:00 on Sundays"],
];

/** A description would be wrong, because the interval breaks at the end of the hour or day, or would be too long. */
const kept = [
  "*/7 * * * *",
  "5-59/10 * * * *",
  "0 */5 * * *",
  "*/7 9-17 * * *",
  "0 1,3,5,7,9,11 * * *",
  "*/20 1,13 * * *",
  "0 0 */2 * *",
  "0 0 30,31 * *",
  "0 0 31 1,3 *",
  "0 0 13 1 FRI",
  "0 0 13 * MON-SAT",
  "0 0 * * 0,1,3,4,6",
  "0 0 * 1,3,5,7,9 *",
  "0 0 */2 * 1",
  "0 0 L * */2",
  "0 0 1,31W * *",
  "0 0 * * 1#1,1#5",
  "0 0 L 1 FRI",
  "0 0 * 2 5#5",
  "0 0 1W,8W,15W,22W,LW * *",
];

describe("a schedule in words", () => {
  for (const [expression, words] of cases) {
    it(`${expression}: ${words}`, () => assert.equal(describeSchedule(parseSchedule(expression)), words));
  }
  for (const expression of kept) {
    it(`${expression} stays as it is`, () =>
      assert.equal(describeSchedule(parseSchedule(expression)), expression));
  }
});
