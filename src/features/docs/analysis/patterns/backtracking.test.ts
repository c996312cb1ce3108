import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { isExponential } from "./backtracking.ts";

/** Patterns as applications have them. Some take quadratic time. */
const ordinary = String.raw`
^[^\s@]+@[^\s@]+\.[^\s@]+$
^[a-z0-9]+(?:-[a-z0-9]+)*$
^[0-9a-f]{8}-[0-9a-f]{4}-[1-5][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$
^v?\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?(\+[0-9A-Za-z.-]+)?$
^\d{4}-\d{2}-\d{2}$
^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$
^\+?[0-9]{7,15}$
^\+[1-9]\d{1,14}$
^#[0-9a-fA-F]{6}$
^#([0-9a-f]{3}|[0-9a-f]{6})$
^https?://
^https://[a-z0-9.-]+(/.*)?$
^[A-Z]{2}$
^[A-Z]{3}$
^[a-zA-Z_][a-zA-Z0-9_]*$
^[a-z]+$
^\w+$
^\S+$
^.+$
^\d+$
^-?\d+(\.\d+)?$
^[+-]?\d+(\.\d+)?([eE][+-]?\d+)?$
^(\d{1,3}\.){3}\d{1,3}$
^(?:[0-9A-F]{2}:){5}[0-9A-F]{2}$
^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$
^\d{5}(-\d{4})?$
^[A-Z]\d[A-Z] ?\d[A-Z]\d$
^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$
^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+$
^(GET|POST|PUT|DELETE)$
^(?=.*[a-z])(?=.*[A-Z])(?=.*\d).{8,}$
^[\p{L} .'-]+$
^\s*\S.*$
^[^<>]*$
^/(?:[^/]+/)*[^/]*$
^[a-z]{2}(-[A-Z]{2})?$
^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,}$
^arn:aws:[a-z0-9-]+:[a-z0-9-]*:\d{12}:.+$
^(?:1[0-2]|0?[1-9]):[0-5]\d (?:AM|PM)$
^ORD-\d{6,}$
^[^,]+(,[^,]+)*$
^\w+(\s\w+)*$
^(?<year>\d{4})/(?<month>\d{2})$
^\$?\d{1,3}(,\d{3})*(\.\d{2})?$
^([0-9a-f]{8})+$
^([0-9a-f]{64},?)+$
^(?:\d{5}[ -]?){5}$
`;

const exponential = String.raw`
^(a+)+$
^(a*)*$
^(a|a)*$
^(a|aa)+$
^(a|b|ab)*c$
^([a-z]+)*$
^(\w+\s?)*$
^(.*)*$
^(.*a){12}$
^([a-zA-Z0-9])(([\-.]|[_]+)?([a-zA-Z0-9]+))*(@){1}[a-z0-9]+[.]{1}(([a-z]{2,3})|([a-z]{2,3}[.]{1}[a-z]{2,3}))$
^(([a-z])+.)+[A-Z]([a-z])+$
^(\d+)*x$
^(?:\w+)+@x$
^(-?[\w-]*)+$
^(x+x+)+y$
^((ab)*)+$
^(\s+|\w+)*-$
^(a?){30}a{30}$
(a+)+$
^(?:(?:a+)b?)+$
^((\w|-)+\.?)+$
^(?:"[^"]*"|[^"]*)*$
^([0-9]+([.][0-9]+)?,?)+$
^(?:a{5}|a{7})+$
^([0-9]{6,8},?)+$
^([a-z]{1,200} ?)+$
`;

const linesOf = (text: string) => text.trim().split("\n");

describe("a pattern", () => {
  for (const pattern of linesOf(ordinary)) {
    it(`does not take exponential time: ${pattern}`, () => assert.equal(isExponential(pattern), false));
  }
  for (const pattern of linesOf(exponential)) {
    it(`can take exponential time: ${pattern}`, () => assert.equal(isExponential(pattern), true));
  }

  it("can take exponential time in a lookaround only", () => {
    assert.equal(isExponential("^(?=(?:a+)+$)a"), true);
    assert.equal(isExponential("^(?!(?:a|aa)+$)a"), true);
    assert.equal(isExponential("^(?=a+$)a"), false);
    assert.equal(isExponential("(?<=^(?:a+)+)b"), true);
    assert.equal(isExponential("(?<!^b(?:a|aa)+)$"), true);
    assert.equal(isExponential("(?<=(?:a+)+)b"), false);
  });

  it("that matches at the first chance tries no other", () => {
    assert.equal(isExponential("^(a+)+"), false);
    assert.equal(isExponential(String.raw`^(a+)+\b`), true);
  });

  it("distinguishes characters as the engine does", () => {
    assert.equal(isExponential(String.raw`^(?:\p{Lu}|\p{Ll})+$`), false);
    assert.equal(isExponential(String.raw`^(?:\p{Lu}|\p{L})+$`), true);
    assert.equal(isExponential(String.raw`^(?:\u{1F600}|[\u{1F5FF}-\u{1F601}])+$`), true);
    assert.equal(isExponential("^(?:😀|😁)+$"), false);
    assert.equal(isExponential("^(?:a|A)+$"), false);
    assert.equal(isExponential("^(?i:a|A)+$"), true);
    assert.equal(isExponential("^(?:a|(?i:b(?:c|A)*))+$"), true);
    assert.equal(isExponential(String.raw`^(?:[)\]]|\))+$`), true);
  });

  it("is examined behind a long list of words", () => {
    const words = Array.from({ length: 600 }, (_, index) => `W${index}`).join("|");
    assert.equal(isExponential(`^(?:${words})$`), false);
    assert.equal(isExponential(`^(?:${words})(a+)+$`), true);
  });

  it("is examined in a short time, whatever it repeats", { timeout: 60_000 }, () => {
    assert.equal(isExponential("^(?:(?:(?:(?:a{64}){64}){64}){64}b)+(a+)+$"), true);
    assert.equal(
      isExponential(`^(?:${["b", "c", "d", "e"].map((end) => `(?:a?){64}${end}`).join("")})+$`),
      true,
    );
    assert.equal(isExponential(`^(?:${"[a-z]{1,63}-".repeat(30)})+$`), false);
    assert.equal(isExponential(`^${"(a?){4}".repeat(5_000)}$`), false);
  });
});
