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
  default: Primitive;
  /** What stands in for it depends on something else. */
  isDefaultUnclear: boolean;
  values: Primitive[] | undefined;
  /** A request without it is refused. */
  isRequired: boolean;
  /** It is taken apart as text. */
  isText: boolean;
  /** A request may be refused with 401 or 403 because of it, so its values are secrets. */
  guardsAccess: boolean;
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
  /** What goes wrong while it is read is caught, and becomes something else. */
  isCaught: boolean;
  /** A request may be refused with 401 or 403 because of it, so the values it may have are secrets. */
  guardsAccess: boolean;
}

export interface TypePlace {
  readonly kind: "type" | "expression" | "input";
  readonly place: Place;
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
    default: undefined,
    isDefaultUnclear: false,
    values: undefined,
    isRequired: false,
    isText: false,
    guardsAccess: false,
    ...read,
  };
}
