import { drizzle } from "drizzle-orm/pg-proxy";
import { integer, numeric, pgTable, text, timestamp, uuid } from "drizzle-orm/pg-core";

export const rooms = pgTable("rooms", {
  id: uuid("id").primaryKey().defaultRandom(),
  name: text("name").notNull(),
  capacity: integer("capacity").notNull(),
  floor: integer("floor"),
});

export const guests = pgTable("guests", {
  id: uuid("id").primaryKey().defaultRandom(),
  fullName: text("full_name").notNull(),
  email: text("email").notNull(),
});

export const bookings = pgTable("bookings", {
  id: uuid("id").primaryKey().defaultRandom(),
  roomId: uuid("room_id")
    .notNull()
    .references(() => rooms.id),
  guestId: uuid("guest_id").references(() => guests.id),
  checkIn: timestamp("check_in", { withTimezone: true }).notNull(),
  nights: integer("nights").notNull(),
  price: numeric("price", { precision: 10, scale: 2 }).notNull(),
});

export const db = drizzle(async () => ({ rows: [] }));
