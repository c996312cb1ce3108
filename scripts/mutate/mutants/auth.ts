import { within } from "../mutant.ts";

export const authMutants = within("src/auth", [
  {
    fault: "a sign-in can lead to another site",
    text: "/^\\/(?!\\/)[!-[\\]-~]{0,2000}$/",
    replacement: "/^\\/[!-[\\]-~]{0,2000}$/",
    tests: "pages/next-path",
  },
  {
    fault: "a client can guess once more",
    text: "pair: 5,",
    replacement: "pair: 6,",
    tests: ["sign-in/throttle", "sign-in/lockout"],
  },
  {
    fault: "a page of another origin can sign in",
    text: "return origin !== undefined && origin !== e.url.origin;",
    replacement: "return false;",
    tests: "guards/foreign-origin",
  },
  {
    fault: "any identity is a superuser",
    text: "if (!isSuperuser(e.auth)) throw SUPERUSER_REQUIRED();",
    replacement: "",
    tests: "guards/identify",
  },
  {
    fault: "the first page of sessions is skipped",
    text: "(page - 1) * perPage",
    replacement: "page * perPage",
    tests: "session-routes",
  },
  {
    fault: "a session that was ended can still be used",
    text: "await tokens.end(row.hash);",
    replacement: "",
    tests: "session-routes",
  },
  {
    fault: "streams stay open while their tokens cannot be checked",
    text: "if (confirmedAt > limit) continue;",
    replacement: "continue;",
    tests: "sessions/access-watch",
  },
  {
    fault: "uses of tokens are lost when the database fails",
    text: "await write(uses).catch(() => keep(uses));",
    replacement: "await write(uses).catch(() => {});",
    tests: "sessions/token-use",
  },
  {
    fault: "a password of two sequences is accepted",
    text: "countRuns(characters) <= 2",
    replacement: "countRuns(characters) < 2",
    tests: "passwords/weak-passwords",
  },
  {
    fault: "a link on another site sends the session cookie",
    text: 'maxAge: Math.floor(ttlMs / 1000), sameSite: "strict"',
    replacement: 'maxAge: Math.floor(ttlMs / 1000), sameSite: "lax"',
    tests: "pages/routes",
  },
]);
