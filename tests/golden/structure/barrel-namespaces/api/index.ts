export * as bookings from "./bookings.ts";
export * as rooms from "./rooms.ts";
