import type { Expression } from "oxc-parser";
import type { HandlerFacts } from "../facts/handler-facts.ts";
import { type Place, pathTo } from "../source/source-file.ts";
import type { SourceFiles } from "../source/source-files.ts";
import { findReference, type ValueReference } from "./reference.ts";

/** A validator to be read from the running program. */
export interface WantedValidator {
  readonly place: Place;
  readonly reference: ValueReference;
  /** A route whose handler uses it: the validator is visible from there. */
  readonly route: string;
}

/** The validators of a handler's bodies and queries, if they have a name. */
export function findValidators(
  files: SourceFiles,
  route: string,
  { bodies, queries }: HandlerFacts,
): WantedValidator[] {
  const ofBodies = bodies.flatMap(({ schema, types }) => [
    ...(schema ? [schema] : []),
    ...types.filter(({ kind }) => kind === "input").map(({ place }) => place),
  ]);
  const ofQueries = queries.flatMap(({ validators }) => validators);
  return [...ofBodies, ...ofQueries].flatMap((place) => {
    const file = files.read(place.file);
    const node =
      file && pathTo(file, place.start).find(({ start, end }) => start === place.start && end === place.end);
    const reference =
      node && findReference(file, node as Expression, (specifier) => files.resolve(file.path, specifier));
    return reference ? [{ place, reference, route }] : [];
  });
}
