import {
  type Comment,
  type EcmaScriptModule,
  type Node,
  type Program,
  parseSync,
  visitorKeys,
} from "oxc-parser";

/** A range in a file, as offsets in UTF-16 code units. */
export interface Place {
  readonly file: string;
  readonly start: number;
  readonly end: number;
}

export interface SyntaxProblem {
  readonly message: string;
  readonly line: number;
}

/** A source file: its syntax tree, its comments and its line starts. */
export interface SourceFile {
  readonly path: string;
  readonly text: string;
  readonly program: Program;
  readonly comments: readonly Comment[];
  readonly problems: readonly SyntaxProblem[];
  /** The specifiers of its imports and re-exports, as written. */
  readonly imports: readonly string[];
  /** Whether it starts with `// API_SOURCE`. */
  readonly isMarked: boolean;
  /** The line of an offset, starting at 1. */
  lineOf(offset: number): number;
  /** The offset of a line and column, both starting at 1. */
  offsetOf(line: number, column: number): number;
}

export function parseSource(path: string, content: string): SourceFile {
  // The compiler and V8 do not count a byte order mark either.
  const text = content.charCodeAt(0) === 0xfeff ? content.slice(1) : content;
  const lines = findLines(text);
  const lineOf = (offset: number) => {
    let low = 0;
    let high = lines.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (lines[middle]! <= offset) low = middle;
      else high = middle - 1;
    }
    return low + 1;
  };
  const isTooDeep = depthOf(text) > maxDepth;
  const result = parseSync(path, isTooDeep ? "" : text, { preserveParens: false, lang: languageOf(path) });
  const { program, comments, errors, module } = result;
  const isBroken = program.body.length === 0 && errors.length > 0;
  return {
    path,
    text,
    program,
    comments,
    problems: isTooDeep
      ? [{ message: "The code is nested too deeply", line: 1 }]
      : isBroken
        ? errors.slice(0, 1).map(({ message, labels }) => ({ message, line: lineOf(labels[0]?.start ?? 0) }))
        : [],
    imports: importsIn(module, text),
    isMarked: comments.some((comment) => isMarker(comment) && isAtTop(comment, comments, text)),
    lineOf,
    offsetOf: (line, column) => (lines[line - 1] ?? text.length) + column - 1,
  };
}

/**
 * The parser is native code, and a stack overflow in it ends the process. No hand-written code is nested this deeply.
 */
const maxDepth = 1_000;

/** The maximum depth of brackets, including those in strings and comments. */
function depthOf(text: string): number {
  let depth = 0;
  let deepest = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x28 || code === 0x5b || code === 0x7b) deepest = Math.max(deepest, ++depth);
    else if ((code === 0x29 || code === 0x5d || code === 0x7d) && depth > 0) depth--;
  }
  return deepest;
}

function importsIn(
  { staticImports, staticExports, dynamicImports }: EcmaScriptModule,
  text: string,
): string[] {
  const exported = staticExports.flatMap(({ entries }) =>
    entries.flatMap(({ moduleRequest }) => moduleRequest?.value ?? []),
  );
  const dynamic = dynamicImports.flatMap(
    ({ moduleRequest: { start, end } }) => /^["'](.*)["']$/.exec(text.slice(start, end))?.[1] ?? [],
  );
  return [
    ...new Set([...staticImports.map(({ moduleRequest }) => moduleRequest.value), ...exported, ...dynamic]),
  ];
}

function languageOf(path: string): "ts" | "tsx" | "js" | "jsx" | "dts" {
  if (/\.d\.[cm]?ts$/.test(path)) return "dts";
  if (/\.tsx$/.test(path)) return "tsx";
  if (/\.[cm]?ts$/.test(path)) return "ts";
  return "jsx";
}

function findLines(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}

const isMarker = ({ type, value }: Comment) => type === "Line" && /^\s*API_SOURCE\s*$/.test(value);

/** Only a shebang, comments and directives such as "use strict" may precede it. */
function isAtTop(marker: Comment, comments: readonly Comment[], text: string): boolean {
  let before = text.slice(0, marker.start);
  for (const { start, end } of comments) {
    if (end <= marker.start) before = before.slice(0, start) + " ".repeat(end - start) + before.slice(end);
  }
  return (
    before
      .replace(/^#!.*/, "")
      .replace(/(["'])use \w+\1;?/g, "")
      .trim() === ""
  );
}

/** The direct children of a node, in source order. */
export function childrenOf(node: Node): Node[] {
  const fields = node as unknown as Record<string, Node | (Node | null)[] | null>;
  const children: Node[] = [];
  // Called for every node of every file, so it creates no intermediate arrays.
  for (const key of visitorKeys[node.type] ?? []) {
    const field = fields[key];
    if (Array.isArray(field)) {
      for (const child of field) if (child) children.push(child);
    } else if (field) children.push(field);
  }
  return children;
}

/** The nodes that contain an offset, the outermost first. */
export function pathTo({ program }: SourceFile, offset: number): Node[] {
  const path: Node[] = [program];
  for (let node: Node | undefined = program; node; ) {
    node = childrenOf(node).findLast(({ start, end }) => start <= offset && offset < end);
    if (node) path.push(node);
  }
  return path;
}

export function placeOf(file: SourceFile, { start, end }: Node): Place {
  return { file: file.path, start, end };
}
