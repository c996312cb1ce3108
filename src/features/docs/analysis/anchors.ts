import type { Node } from "oxc-parser";
import type { SourceLocation } from "../../../lib/source/source-location.ts";
import { callAt } from "./handlers/locate.ts";
import type { Route } from "./handlers/route.ts";
import { childrenOf, pathTo, type SourceFile } from "./source/source-file.ts";

/**
 * A location in a file that survives edits elsewhere in it. The running program knows routes by their line numbers at
 * startup; an edit may move the same code to another line.
 */
interface Anchor {
  readonly file: string;
  /** The code at this location, and how many times it occurs before. */
  readonly text: string;
  readonly count: number;
  /** The offset of the location from the start of that code: V8 does not always point at the same part of a call. */
  readonly shift: number;
}

/** Updates the locations of routes after an edit. Locations that are no longer found are omitted. */
export class Anchors {
  private readonly anchors = new Map<SourceLocation, Anchor>();

  /** Records the code at the locations of these routes. */
  hold(routes: readonly Route[], read: (path: string) => SourceFile | undefined): void {
    for (const place of routes.flatMap(placesOf)) {
      const file = read(place.file);
      const anchor = file && createAnchor(file, file.offsetOf(place.line, place.column));
      if (anchor) this.anchors.set(place, anchor);
    }
  }

  /** The routes with their current locations; `undefined` for a route whose registration was removed. */
  move(routes: readonly Route[], read: (path: string) => SourceFile | undefined): (Route | undefined)[] {
    const moved = (place: SourceLocation | undefined) => place && this.find(place, read);
    return routes.map((route) => {
      const registered = moved(route.registered);
      if (route.registered && !registered) return undefined;
      return {
        ...route,
        registered,
        handler: moved(route.handler),
        middleware: route.middleware.flatMap(({ at, text }) => {
          const now = moved(at);
          return now ? [{ at: now, text }] : [];
        }),
      };
    });
  }

  private find(
    place: SourceLocation,
    read: (path: string) => SourceFile | undefined,
  ): SourceLocation | undefined {
    const anchor = this.anchors.get(place);
    const file = read(place.file);
    if (!anchor || !file) return undefined;
    const found = candidatesIn(file).filter(({ text }) => text === anchor.text)[anchor.count];
    if (found === undefined) return undefined;
    const offset = found.offset + anchor.shift;
    const line = file.lineOf(offset);
    return { file: place.file, line, column: offset - file.offsetOf(line, 1) + 1 };
  }
}

const placesOf = ({ registered, handler, middleware }: Route) =>
  [registered, handler, ...middleware.map(({ at }) => at)].filter((place) => place !== undefined);

function createAnchor(file: SourceFile, offset: number): Anchor | undefined {
  const all = candidatesIn(file);
  const here = callAt(file, offset)?.call ?? pathTo(file, offset).findLast(isFunction);
  const own = here && all.find(({ node }) => node === here);
  if (!own) return undefined;
  const count = all.filter(({ text, offset: start }) => text === own.text && start < own.offset).length;
  return { file: file.path, text: own.text, count, shift: offset - own.offset };
}

interface Candidate {
  readonly node: Node;
  readonly text: string;
  readonly offset: number;
}

const isFunction = ({ type }: Node) => /Function(Expression|Declaration)$/.test(type);
const candidates = new WeakMap<SourceFile, Candidate[]>();

/** Calls with their method and first argument; functions with the code before their body. */
function candidatesIn(file: SourceFile): Candidate[] {
  const known = candidates.get(file);
  if (known) return known;
  const found: Candidate[] = [];
  const visit = (node: Node) => {
    if (node.type === "CallExpression") {
      const offset = node.callee.type === "MemberExpression" ? node.callee.property.start : node.callee.start;
      found.push({ node, offset, text: file.text.slice(offset, node.arguments[0]?.end ?? node.callee.end) });
    } else if (isFunction(node) && "body" in node && node.body && "start" in node.body) {
      found.push({ node, offset: node.start, text: file.text.slice(node.start, node.body.start) });
    }
    for (const child of childrenOf(node)) visit(child);
  };
  visit(file.program);
  candidates.set(file, found);
  return found;
}
