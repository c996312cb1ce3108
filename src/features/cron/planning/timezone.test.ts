import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { parseTimezone, timezoneNames } from "./timezone.ts";

describe("a timezone", () => {
  it("is found by its name in any case, and an older name stays as it is", () => {
    assert.equal(parseTimezone("europe/berlin").name, "Europe/Berlin");
    assert.equal(parseTimezone("Europe/Berlin"), parseTimezone("europe/BERLIN"));
    assert.equal(parseTimezone("US/Eastern").name, "US/Eastern");
    assert.equal(parseTimezone("UTC").name, "UTC");
    assert.equal(parseTimezone("est5edt").name, "EST5EDT");
    assert.equal(parseTimezone("Etc/GMT+5").name, "Etc/GMT+5");
  });

  it("can be any name of the tz database", () => {
    const names =
      "CET CST6CDT Cuba EET EST Egypt GB GB-Eire GMT GMT+0 HST Japan MET MST NZ-CHAT PRC W-SU WET Zulu";
    for (const name of [...timezoneNames(), ...names.split(" ")]) {
      // Some names, such as GMT, are links to another name.
      assert.ok(parseTimezone(name).name, name);
    }
    const offset = (name: string) =>
      parseTimezone(name).stretchAt(Date.parse("2026-07-01")).offset / 3_600_000;
    assert.deepEqual(["GMT", "EST", "EST5EDT", "CET"].map(offset), [0, -5, -4, 2]);
  });

  const abbreviations: [name: string, suggested: string][] = [
    ["BST", "Europe/London or Asia/Dhaka"],
    ["IST", "Asia/Kolkata, Europe/Dublin or Asia/Jerusalem"],
    ["pst", "America/Los_Angeles or Asia/Manila"],
    ["CST", "America/Chicago, Asia/Shanghai or America/Havana"],
    ["AST", "America/Halifax, Asia/Riyadh or America/Anchorage"],
    ["SST", "Pacific/Pago_Pago or Pacific/Guadalcanal"],
    ["CEST", "Europe/Berlin or Europe/Paris"],
    ["EDT", "America/New_York"],
  ];
  for (const [name, suggested] of abbreviations) {
    it(`is not the abbreviation ${name}; the error suggests ${suggested}`, () => {
      const given = JSON.stringify(name);
      assert.throws(() => parseTimezone(name), {
        code: "INVALID_TIMEZONE",
        status: 400,
        message: `${given} is not a valid time zone. Use ${suggested}.`,
        data: {
          timezone: { code: "invalid", message: `${given} is not an IANA time zone name. Use ${suggested}.` },
        },
      });
      for (const zone of suggested.split(/, | or /)) assert.equal(parseTimezone(zone).name, zone);
    });
  }

  it("is none of the other abbreviations that Intl accepts", () => {
    const names = "ACT AET AGT ART BET CAT CNT CTT EAT ECT IET JST MIT NET NST PLT PNT PRT VST";
    for (const name of [...names.split(" "), "SystemV/AST4ADT"]) {
      assert.throws(() => parseTimezone(name), { code: "INVALID_TIMEZONE" }, name);
    }
  });

  it("is nothing else", () => {
    const others = [undefined, null, 5, "", " ", "Mars/Olympus", "+01:00", "Europe/Berlin ", "../etc", {}];
    for (const name of [...others, "constructor", "toString"]) {
      assert.throws(() => parseTimezone(name), {
        code: "INVALID_TIMEZONE",
        status: 400,
        message: /Use an IANA name such as Europe\/Berlin or UTC\.$/,
      });
    }
  });
});
