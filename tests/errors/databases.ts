import {
  PrismaClientKnownRequestError,
  PrismaClientUnknownRequestError,
  PrismaClientValidationError,
} from "@prisma/client-runtime-utils";
import SQLite from "better-sqlite3";
import { sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/node-postgres";
import { Kysely, PostgresDialect, SqliteDialect } from "kysely";
import pg from "pg";
import { DataSource, EntitySchema } from "typeorm";
import { canary, type Failures } from "./failure.ts";

interface Tables {
  users: { id: number; email: string };
}

const createUsers =
  "create table users (id integer primary key, email text unique, check (length(email) < 40))";
const tooLong = canary.repeat(4);

export function sqliteFailures(close: (end: () => void) => void): Failures {
  const database = new SQLite(":memory:");
  close(() => database.close());
  database.exec(createUsers);
  database.prepare("insert into users values (1, ?)").run(canary);
  const db = new Kysely<Tables>({ dialect: new SqliteDialect({ database }) });
  const insert = (email: string) => database.prepare("insert into users (email) values (?)").run(email);
  return {
    "better-sqlite3, unique": () => insert(canary),
    "better-sqlite3, check": () => insert(tooLong),
    "better-sqlite3, parameters": () => database.prepare("select ?").get(canary, canary),
    "Kysely, no result": () =>
      db.selectFrom("users").select("id").where("email", "=", `${canary}!`).executeTakeFirstOrThrow(),
    "Kysely, unique": () => db.insertInto("users").values({ id: 2, email: canary }).execute(),
  };
}

/** `users` exists and has one row with the canary. */
export async function postgresFailures(
  url: string,
  close: (end: () => Promise<void>) => void,
): Promise<Failures> {
  const pool = new pg.Pool({ connectionString: url, max: 2 });
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  const drizzled = drizzle(pool);
  const User = new EntitySchema<{ id: number; email: string }>({
    name: "User",
    tableName: "users",
    columns: { id: { type: Number, primary: true }, email: { type: String } },
  });
  const source = await new DataSource({ type: "postgres", url, entities: [User] }).initialize();
  const users = source.getRepository(User);
  close(() => source.destroy());
  close(() => pool.end());
  await pool.query(createUsers);
  await pool.query("create type mood as enum ('good')");
  await pool.query("insert into users values (1, $1)", [canary]);
  return {
    "pg, syntax": () => pool.query("select $1::integer", [canary]),
    "pg, enum": () => pool.query("select $1::mood", [canary]),
    "pg, date": () => pool.query("select $1::date", [`${canary}-01`]),
    "pg, array": () => pool.query("select $1::text[]", [canary]),
    "pg, JSON": () => pool.query("select $1::json", [`{"password": ${canary}}`]),
    "pg, unique": () => pool.query("insert into users values (2, $1)", [canary]),
    "pg, check": () => pool.query("insert into users values (2, $1)", [tooLong]),
    "pg, not null": () => pool.query("insert into users values (null, $1)", [`${canary}2`]),
    "Kysely, invalid": () =>
      db
        .selectFrom("users")
        .select("id")
        .where("id", "=", canary as never)
        .execute(),
    "Drizzle, unique": () => drizzled.execute(sql`insert into users values (2, ${canary})`),
    "Drizzle, invalid": () => drizzled.execute(sql`select ${canary}::integer as ${sql.identifier("a")}`),
    "TypeORM, not found": () => users.findOneByOrFail({ email: `${canary}!` }),
    "TypeORM, unique": () => users.insert({ id: 2, email: canary }),
    "TypeORM, invalid": () => users.findOneByOrFail({ id: canary as never }),
  };
}

/** The client needs generated code, so only its error classes are used, with messages as the client writes them. */
export const prismaFailures: Failures = {
  "Prisma, validation": () => {
    const call = `{\n  data: {\n    email: "${canary}",\n+   name: String\n  }\n}`;
    const message = `\nInvalid \`prisma.user.create()\` invocation:\n\n${call}\n\nArgument \`name\` is missing.`;
    throw new PrismaClientValidationError(message, { clientVersion: "7.10.0" });
  },
  "Prisma, known": () => {
    const call = `\n\n  7 \n→ 8   await prisma.user.create({\n        data: { email: "${canary}" }\n      })`;
    const message = `\nInvalid \`prisma.user.create()\` invocation in\n/app/users.ts:8:25${call}\nUnique constraint failed on the fields: (\`email\`)`;
    const cause = {
      originalCode: "23505",
      originalMessage: `Key (email)=(${canary}) already exists.`,
      canary,
    };
    const meta = { modelName: "User", target: ["email"], driverAdapterError: { cause } };
    throw new PrismaClientKnownRequestError(message, { code: "P2002", clientVersion: "7.10.0", meta });
  },
  "Prisma, raw": () => {
    const reason = `ERROR: invalid input syntax for type integer: "${canary}"`;
    const message = `\nInvalid \`prisma.$queryRaw()\` invocation:\n\n\nRaw query failed. Code: \`22P02\`. Message: \`${reason}\``;
    const cause = { kind: "InvalidInputValue", message: canary.repeat(2), query: canary };
    const error = new PrismaClientUnknownRequestError(message, { clientVersion: "7.10.0" });
    throw Object.assign(error, { cause: { ...cause, message: reason } });
  },
};
