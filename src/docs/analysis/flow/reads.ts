import type { Place } from "../source/source-file.ts";
import type { Primitive } from "./primitive.ts";

/** A value that is read from the request by its name. What is learnt from its use is written here. */
export interface Read {
  readonly in: "query" | "header" | "path" | "cookie";
  readonly name: string;
  readonly place: Place;
  /** All values of the name, not only the first. */
  readonly isList: boolean;
  type: "string" | "number" | "integer";
  /** The texts that it is compared with. */
  readonly compared: string[];
  /** The texts that are looked for in it. */
  readonly mentions: string[];
  default: Primitive;
  /** What stands in for it depends on something else. */
  isDefaultUnclear: boolean;
  values: Primitive[] | undefined;
  /** Values outside of these are refused. */
  bounds: Bounds | undefined;
  /** How many undecided conditions stood around the place where it was read. */
  readonly depth: number;
  /** A request without it is refused. */
  isRequired: boolean;
  /** It is taken apart as text. */
  isText: boolean;
  /** A request may be refused with 401 or 403 because of it, so its values are secrets. */
  guardsAccess: boolean;
}

export interface Bounds {
  readonly minimum?: number;
  readonly isMinimumExclusive?: boolean;
  readonly maximum?: number;
  readonly isMaximumExclusive?: boolean;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
}

export interface BodyRead {
  readonly place: Place;
  /** How it is read; `raw` is Node's own request. */
  readonly by: "bindBody" | "readText" | "readBytes" | "raw";
  /** What it is decoded as: by its content type, as JSON, or not at all. */
  form: "bound" | "json" | "text" | "bytes";
  /** The type that the read itself names. */
  readonly named: Place | undefined;
  /** Where else its type may be asked for, the best place first. */
  readonly types: TypePlace[];
  /** The validator that it is checked with. */
  readonly schema?: Origin | undefined;
  isRequired: boolean;
  /** A request without it is served: what goes wrong is caught, or an empty text is taken. */
  isServedWithout: boolean;
  /** What goes wrong while it is read is caught, and becomes something else. */
  isCaught: boolean;
  /** A request may be refused with 401 or 403 because of it, so the values it may have are secrets. */
  guardsAccess: boolean;
}

export interface TypePlace {
  readonly kind: "type" | "expression" | "input";
  readonly place: Place;
  /** Which argument of the function is written there, so that its callers know more. */
  readonly argument?: number | undefined;
}

/**
 * Where a value was written: in the function that uses it, and, when it is an argument there, at the callers, the
 * outermost first.
 */
export interface Origin {
  readonly places: readonly Place[];
  /** Which argument of the function it is. */
  readonly argument?: number | undefined;
}

export function createRead(read: Pick<Read, "in" | "name" | "place"> & Partial<Read>): Read {
  return {
    isList: false,
    type: "string",
    compared: [],
    mentions: [],
    default: undefined,
    isDefaultUnclear: false,
    values: undefined,
    bounds: undefined,
    depth: 0,
    isRequired: false,
    isText: false,
    guardsAccess: false,
    ...read,
  };
}
