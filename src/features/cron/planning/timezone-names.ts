/** The names in the tz database that have no region. ICU accepts further ones, which are ambiguous abbreviations. */
const withoutRegion = [
  "CET CST6CDT Cuba EET EST EST5EDT Egypt Eire GB GB-Eire GMT GMT+0 GMT-0 GMT0 Greenwich HST Hongkong Iceland",
  "Iran Israel Jamaica Japan Kwajalein Libya MET MST MST7MDT NZ NZ-CHAT Navajo PRC PST8PDT Poland Portugal",
  "ROC ROK Singapore Turkey UCT UTC Universal W-SU WET Zulu",
].flatMap((line) => line.split(" "));

const byLowerCase = new Map(withoutRegion.map((name) => [name.toLowerCase(), name]));

/** Zones that an abbreviation may mean, the most likely first. */
const abbreviated: Readonly<Record<string, readonly string[]>> = {
  ACT: ["Australia/Darwin", "America/Rio_Branco"],
  AEDT: ["Australia/Sydney"],
  AEST: ["Australia/Sydney", "Australia/Brisbane"],
  AET: ["Australia/Sydney"],
  AGT: ["America/Argentina/Buenos_Aires"],
  AKDT: ["America/Anchorage"],
  AKST: ["America/Anchorage"],
  ART: ["America/Argentina/Buenos_Aires", "Africa/Cairo"],
  AST: ["America/Halifax", "Asia/Riyadh", "America/Anchorage"],
  AWST: ["Australia/Perth"],
  BET: ["America/Sao_Paulo"],
  BRT: ["America/Sao_Paulo"],
  BST: ["Europe/London", "Asia/Dhaka"],
  CAT: ["Africa/Maputo"],
  CDT: ["America/Chicago"],
  CEST: ["Europe/Berlin", "Europe/Paris"],
  CNT: ["America/St_Johns"],
  CST: ["America/Chicago", "Asia/Shanghai", "America/Havana"],
  CTT: ["Asia/Shanghai"],
  EAT: ["Africa/Nairobi"],
  ECT: ["Europe/Paris", "America/Guayaquil"],
  EDT: ["America/New_York"],
  EEST: ["Europe/Athens", "Europe/Helsinki"],
  HKT: ["Asia/Hong_Kong"],
  IET: ["America/Indiana/Indianapolis"],
  IST: ["Asia/Kolkata", "Europe/Dublin", "Asia/Jerusalem"],
  JST: ["Asia/Tokyo"],
  KST: ["Asia/Seoul"],
  MDT: ["America/Denver"],
  MIT: ["Pacific/Apia"],
  MSK: ["Europe/Moscow"],
  NET: ["Asia/Yerevan"],
  NST: ["America/St_Johns", "Pacific/Auckland"],
  NZDT: ["Pacific/Auckland"],
  NZST: ["Pacific/Auckland"],
  PDT: ["America/Los_Angeles"],
  PKT: ["Asia/Karachi"],
  PLT: ["Asia/Karachi"],
  PNT: ["America/Phoenix"],
  PRT: ["America/Puerto_Rico"],
  PST: ["America/Los_Angeles", "Asia/Manila"],
  SAST: ["Africa/Johannesburg"],
  SGT: ["Asia/Singapore"],
  SST: ["Pacific/Pago_Pago", "Pacific/Guadalcanal"],
  VST: ["Asia/Ho_Chi_Minh"],
  WEST: ["Europe/Lisbon"],
};

/** The name as the tz database spells it, if it can be one. Only Intl knows whether a name with a region exists. */
export function toIanaName(name: string): string | undefined {
  // ICU's zones such as SystemV/AST4ADT were never in the tz database.
  if (name.includes("/")) return /^SystemV\//i.test(name) ? undefined : name;
  return byLowerCase.get(name.toLowerCase());
}

/** Zones to use instead of an abbreviation; empty if it is unknown. */
export function suggestZones(name: string): readonly string[] {
  const key = name.toUpperCase();
  return Object.hasOwn(abbreviated, key) ? abbreviated[key]! : [];
}
