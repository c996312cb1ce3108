import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { redactHeader, redactText } from "./redact-text.ts";

const jwt = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhZGEifQ.c2lnbmF0dXJl";
const pem = "-----BEGIN RSA PRIVATE KEY-----\nMIIEow\nAAAA\n-----END RSA PRIVATE KEY-----";

const texts: readonly (readonly [text: string, expected: string])[] = [
  // Addresses
  ["GET /x?token=t&page=2", "GET /x?token=[redacted]&page=2"],
  ["/x?page=1&api%5Fkey=t#access_token=u", "/x?page=1&api%5Fkey=[redacted]#access_token=[redacted]"],
  ["/callback?code=abc&state=1", "/callback?code=[redacted]&state=1"],
  ["/x?key=abc", "/x?key=[redacted]"],
  ["/x;jsessionid=AB12", "/x;jsessionid=[redacted]"],
  ["/a?next=/b?pwd=abc", "/a?next=/b?pwd=[redacted]"],
  ["/a?next=%2Fb%3Fpwd%3Dabc%26page%3D2", "/a?next=%2Fb%3Fpwd%3D[redacted]%26page%3D2"],
  ["http://127.0.0.1/_/?setup=Zb3", "http://127.0.0.1/_/?setup=[redacted]"],
  ["/x?ticket=ST-1&sid=2&pass=3", "/x?ticket=[redacted]&sid=[redacted]&pass=[redacted]"],
  ["postgres://ada:lovelace@db.example/annex", "postgres://[redacted]@db.example/annex"],
  ["postgres://ada:p@ss@db.example/annex", "postgres://[redacted]@db.example/annex"],
  ["https://0123456789abcdef0123@git.example/x", "https://[redacted]@git.example/x"],
  // Schemes and tokens
  ["Bearer abc.def", "[redacted]"],
  ["sent Bearer abc123 to the server", "sent Bearer [redacted] to the server"],
  ["Basic YWRhOmxvdmVsYWNl", "[redacted]"],
  ['Digest username="ada", response="0a1b"', "[redacted]"],
  [`the token ${jwt} is old`, "the token [redacted] is old"],
  ["key sk_live_0123456789abcdef is void", "key [redacted] is void"],
  ["ghp_0123456789abcdefghijABCDEFGHIJ012345 failed", "[redacted] failed"],
  ["AKIAIOSFODNN7EXAMPLE", "[redacted]"],
  [`read ${pem} from disk`, "read [redacted] from disk"],
  [pem.slice(0, 40), "[redacted]"],
  // Names with values in prose, headers and data
  ["login with password=hunter2 failed", "login with password=[redacted] failed"],
  ["password='hunter two' user=ada", "password=[redacted] user=ada"],
  ['password = "hunter two" # of a file', "password = [redacted] # of a file"],
  ["where token ='t' and page = '2'", "where token =[redacted] and page = '2'"],
  ["Server=x;Password=hunter2;Timeout=3", "Server=x;Password=[redacted];Timeout=3"],
  ["X-Api-Key: abc", "X-Api-Key: [redacted]"],
  ["Authorization: Bearer hunter", "Authorization: [redacted]"],
  ["a\nCookie: a=b; c=d\nHost: x", "a\nCookie: [redacted]\nHost: x"],
  ['{"password":"hun\\"ter2","page":2}', '{"password":"[redacted]","page":2}'],
  ['{"pin":1234}', '{"pin":[redacted]}'],
  ['{"body":"{\\"token\\":\\"t\\",\\"page\\":2}"}', '{"body":"{\\"token\\":\\"[redacted]\\",\\"page\\":2}"}'],
  ["{ clientSecret: 'hunter2', page: 2 }", "{ clientSecret: '[redacted]', page: 2 }"],
  ['{"apiKey":"cut off her', '{"apiKey":"[redacted]"'],
];

const harmless = [
  "",
  "/x?page=2",
  "a = b",
  "ada@example.com",
  "http://127.0.0.1:8090/users/ada@example.com",
  "Unexpected token: }",
  "failed with code=ENOENT and key=17",
  "{ code: 'ENOENT', key: 'a' }",
  "if (token === undefined) return",
  "Basic authentication failed for ada",
  "Bearer token expected",
  "keyboards and monkeys",
  "https://x.test/a?design=1&passed=2",
  "    at login (file:///srv/token/session.ts:12:3)",
  "12:30:01 token count: 5",
];

describe("text without credentials", () => {
  for (const [text, expected] of texts)
    it(JSON.stringify(text), () => assert.equal(redactText(text), expected));
  for (const text of harmless)
    it(`leaves ${JSON.stringify(text)}`, () => assert.equal(redactText(text), text));

  it("needs no more than one pass over what a client repeats", { timeout: 180_000 }, () => {
    for (const piece of [
      "?",
      "?key",
      "&token&",
      "eyJ",
      "=;",
      "a:'",
      '\\"a\\":',
      "a-",
      "%3d",
      "x://",
      "basic ",
      "x-y: ",
    ]) {
      const text = piece.repeat(50_000);
      assert.ok(redactText(text).length <= text.length * 12, piece);
    }
  });
});

describe("headers without credentials", () => {
  for (const [name, value, expected] of [
    ["Authorization", "x", "[redacted]"],
    ["X-Anything", "Bearer a b c", "[redacted]"],
    ["X-Anything", "  basic YTpi", "[redacted]"],
    ["AccessKey", "x", "[redacted]"],
    ["Referer", "https://x.test/?token=t", "https://x.test/?token=[redacted]"],
    ["Accept", "text/html;q=0.9", "text/html;q=0.9"],
  ] as const)
    it(`${name}: ${value}`, () => assert.equal(redactHeader(name, value), expected));
});
