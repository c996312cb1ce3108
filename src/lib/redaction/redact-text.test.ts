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
  ["postgres://ada:p/a?s#s@db.example/annex", "postgres://[redacted]@db.example/annex"],
  ["/x?next=https%3A%2F%2Fada%3Ap%40h%2Fb", "/x?next=https%3A%2F%2F[redacted]%40h%2Fb"],
  ["/x?next=https%3A%2F%2Fada:p@h%2Fb", "/x?next=https%3A%2F%2F[redacted]@h%2Fb"],
  ["/x?next=https%3A%2F%2F0123456789abcdef0123%40h", "/x?next=https%3A%2F%2F[redacted]%40h"],
  [
    "/x?a=%2Fb%3Fnext%3Dhttps%253A%252F%252Fada%253Ap%2525%2540h",
    "/x?a=%2Fb%3Fnext%3Dhttps%253A%252F%252F[redacted]%2540h",
  ],
  ["next%3Dhttps%3A%2F%2Fada%3Ap%40h", "next%3Dhttps%3A%2F%2F[redacted]%40h"],
  [
    "/x?a=%2Fb%3Fnext%3D%252Fc%253Fpwd%253Dabc%2526page%253D2",
    "/x?a=%2Fb%3Fnext%3D%252Fc%253Fpwd%253D[redacted]%2526page%253D2",
  ],
  ["/x?a=%2Fb%3Fapi%255Fkey%3Dabc", "/x?a=%2Fb%3Fapi%255Fkey%3D[redacted]"],
  ["/x?next=https:%2F%2Fada:p@h", "/x?next=https:%2F%2F[redacted]@h"],
  ["/x?next=https%3A%2F%2Fada%3Ap%40ss%40h%2Fb", "/x?next=https%3A%2F%2F[redacted]%40h%2Fb"],
  ["/x?next=https%3A%2F%2Fada%3Ap%2540ss%40h", "/x?next=https%3A%2F%2F[redacted]%40h"],
  [
    "/x?input=%7B%22page%22%3A2%2C%22password%22%3A%22hun%20ter%5C%222%22%2C%22pin%22%3A1234%7D&page=2",
    "/x?input=%7B%22page%22%3A2%2C%22password%22%3A%22[redacted]%22%2C%22pin%22%3A[redacted]%7D&page=2",
  ],
  ["/x?input={%22token%22:+%22t%22}", "/x?input={%22token%22:+%22[redacted]%22}"],
  [
    "/x?a=%2Fb%3Fc%3D%257B%2522token%2522%253A%2522t%2522%257D",
    "/x?a=%2Fb%3Fc%3D%257B%2522token%2522%253A%2522[redacted]%2522%257D",
  ],
  ["/x?input=%7B%22token%22%3A%22cut", "/x?input=%7B%22token%22%3A%22[redacted]%22"],
  ["ada:p@ss@tcp(db:3306)/annex", "ada:[redacted]@tcp(db:3306)/annex"],
  ["open ada:p@unix(/db), ada:q@tcp6(db)", "open ada:[redacted]@unix(/db), ada:[redacted]@tcp6(db)"],
  [`${"a".repeat(400)} ada:p:q@tcp(db)`, `${"a".repeat(400)} ada:[redacted]@tcp(db)`],
  // Commands
  ["curl -u ada:p https://h.example", "curl -u ada:[redacted] https://h.example"],
  ["curl -su ada:p https://h.example", "curl -su ada:[redacted] https://h.example"],
  ["curl -fsSLu 'ada:p q' https://h.example", "curl -fsSLu 'ada:[redacted]' https://h.example"],
  ["curl --user 'ada:p q' https://h.example", "curl --user 'ada:[redacted]' https://h.example"],
  ["curl --proxy-user=ada:p https://h.example", "curl --proxy-user=ada:[redacted] https://h.example"],
  [
    "curl -H 'authorization: Bearer abc' -H \"x-token: t\"",
    "curl -H 'authorization: [redacted]' -H \"x-token: [redacted]\"",
  ],
  ["curl -H 'token: t' h", "curl -H 'token: [redacted]' h"],
  ["run --password hunter --page 2", "run --password [redacted] --page 2"],
  ["run --password=hunter --page 2", "run --password=[redacted] --page 2"],
  ["run --api-key 'hunter' now", "run --api-key [redacted] now"],
  ["PGPASSWORD=hunter psql -U ada", "PGPASSWORD=[redacted] psql -U ada"],
  ["mysqldump -u root -phunter annex", "mysqldump -u root -p[redacted] annex"],
  ["mysql annex -phunter -prod", "mysql annex -p[redacted] -prod"],
  ["/usr/bin/mysql -phunter", "/usr/bin/mysql -p[redacted]"],
  ["cd /srv && mysqldump annex users -phunter", "cd /srv && mysqldump annex users -p[redacted]"],
  ["Command failed: mysql -u ada annex -phunter", "Command failed: mysql -u ada annex -p[redacted]"],
  ["docker exec db mysql -u ada -phunter", "docker exec db mysql -u ada -p[redacted]"],
  [
    "curl -s -uada:p -Uada:q https://h.example",
    "curl -s -uada:[redacted] -Uada:[redacted] https://h.example",
  ],
  ["-uada:p", "-uada:[redacted]"],
  ["-s -uada:p", "-s -uada:[redacted]"],
  ["x=$(curl -uada:p h)", "x=$(curl -uada:[redacted] h)"],
  ["sshpass -p hunter ssh h", "sshpass -p [redacted] ssh h"],
  ["redis-cli -h db -a hunter ping", "redis-cli -h db -a [redacted] ping"],
  ["docker login -u ada -p hunter h.example", "docker login -u ada -p [redacted] h.example"],
  ["mongodump -u ada -p hunter --db annex", "mongodump -u ada -p [redacted] --db annex"],
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
  ["the server refused API key: abc", "the server refused API key: [redacted]"],
  ["the server refused token: abc", "the server refused token: [redacted]"],
  ["user: ada\npassword: hunter two\npage: 2", "user: ada\npassword: [redacted] two\npage: 2"],
  ["(apiKey: abc, page: 2)", "(apiKey: [redacted], page: 2)"],
  ["pin: 1234", "pin: [redacted]"],
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
  "Unexpected token: name",
  "password: must have at least 8 characters",
  "password: Too small: expected string to have >=8 characters",
  "token: expired",
  "sessions: 12, tokens: 1024",
  "docker run -u 1000:1000 annex",
  "hydra -u https://h.example:443/x",
  "pass --token to the command",
  "choose --menu a:b",
  "open -menu a:b",
  "API key: invalid",
  "the key: a",
  "docker login -u ada, or docker run -p 80:80",
  "/x?input=%7B%22page%22%3A%222%22%7D",
  "/x?q=%22token%22",
  "curl --user-agent:foo",
  "tool -url:foo",
  "mysql slow query in pool -prod-eu",
  "the mysql server -prod",
  'Order 5, received "ok" from "shop" by "me"',
  'Saved the value "dark" for "theme" of "ada"',
  'The parcel (was "lost") is "found"',
  "used the provided value 5 for retries",
  "/x?next=https%3A%2F%2Fh%3A8080%2Fusers%2Fa%40b",
  "/x?next=https%3A%2F%2Fada%40h",
  "http://127.0.0.1:8090?mail=ada@example.com and http://[::1]:80/a@b",
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
      "a://b:",
      "a%3a%2f%2f",
      "a%253a",
      "%2525",
      "%22",
      "%22a%22%3a%22",
      "%22token%22%3a%22%5c",
      "a:%2f%2fb:",
      " -su a:",
      "docker login ",
      "api key: ",
      " -u",
      " -u a:",
      " --a ",
      "mysql ",
      "a: b ",
      "token: ",
      "a:@",
      "a:@tcp(",
      "@tcp(",
      ":curl -u",
      ":mysql a -",
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
