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
    assert.equal(isExponential(String.raw`^(?:[)\]]|\))+$`), true);
  });
});
