import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { argumentsAt, blankTexts, declaredValue, offsetOf } from "./source-text.ts";

describe("the text of a call", () => {
  const calls: [code: string, found: string[]][] = [
    ["parse(a)", ["a"]],
    ["parse()", [""]],
    ["parse( a , b.c( d, e ) )", ["a", "b.c( d, e )"]],
    ["parse<A>(a)", ["a"]],
    ["parse(\n  a\n    .b()\n    .c,\n)", ["a.b().c", ""]],
    ["parse({ a, b: [c, d] }, (e) => e)", ["{ a, b: [c, d] }", "(e) => e"]],
    ["parse(a", []],
    ["parse", []],
    ["parse(a]", []],
  ];
  for (const [code, found] of calls)
    it(`has the arguments of ${JSON.stringify(code)}`, () => assert.deepEqual(argumentsAt(code, 0), found));

  it("is blanked where it is a string or a comment, and keeps its length", () => {
    const code = "a(\"}\", '{', `\n{b}`) // {\n/* } */ c";
    const blank = blankTexts(code);
    assert.equal(blank.length, code.length);
    assert.equal(blank.replace(/ /g, ""), "a(,,\n)\nc");
  });

  it("has an offset", () => {
    assert.equal(offsetOf("ab\ncd\nef", 1, 1), 0);
    assert.equal(offsetOf("ab\ncd\nef", 3, 2), 7);
  });
});

describe("the declared value of a name", () => {
  const declarations: [code: string, value: string | undefined][] = [
    ["const a = b();\n", "b()"],
    ["const a = b()\nc()", "b()"],
    ["const a: A<B> = b;", "b"],
    ["const a = b\n  .c()\n  .d;", "b.c().d"],
    ["let x = 1, a = b, y;", "b"],
    ["const a = 1; const a = 2;", "2"],
    ["const a = 1; { const a = 2; }", ""],
    ["const a = 1; if (x) { ", "1"],
    ["{ const a = 1; }", undefined],
    ["const ab = 1; const $a = 2;", undefined],
    ["x.a = 1;", undefined],
    ["const a = 1; a = 2;", ""],
    ["const a = 1; x.a = 2; if (a === 3) b(a, c);", "1"],
    ["const a = 1; b.map((a) => ", ""],
    ["const a = 1; b.map(a => ", ""],
    ["const a = 1; b.map((c, a) => ", ""],
    ["const a = 1; b.map(function (c, a) { ", ""],
    ["const a = 1; b.map((c) => ", "1"],
  ];
  for (const [code, value] of declarations)
    it(`is ${JSON.stringify(value)} after ${JSON.stringify(code)}`, () =>
      assert.equal(declaredValue(code, "a"), value));
});
