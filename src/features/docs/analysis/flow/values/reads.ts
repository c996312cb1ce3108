import type { Place } from "../../source/source-file.ts";
import type { Primitive } from "./primitive.ts";

/** A named value read from the request. Findings from its use are recorded here. */
export interface Read {
  readonly in: "query" | "header" | "path" | "cookie";
  readonly name: string;
  readonly place: Place;
  /** Whether all values of the name are read, not only the first. */
  readonly isList: boolean;
  type: "string" | "number" | "integer";
  /** The strings that it is compared with. */
  readonly compared: string[];
  /** The strings that are searched for in it. */
  readonly mentions: string[];
  default: Primitive;
  /** Whether the default depends on something else. */
  isDefaultUnclear: boolean;
  values: Primitive[] | undefined;
  /** Values outside these bounds are rejected. */
  bounds: Bounds | undefined;
  /** The number of undecided conditions around the read. */
  readonly depth: number;
  /** Whether requests without it are rejected. */
  isRequired: boolean;
  /** Whether it is processed as a string. */
  isText: boolean;
  /** Whether it may cause a 401 or 403, so that its values are secrets. */
  guardsAccess: boolean;
  /** Whether a variable or a field with the name of a credential holds it, so that its values are secrets. */
  isSecret: boolean;
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

/** A body, or all parameters together. Everything that is computed from it remembers it. */
export interface GuardedInput {
  readonly place: Place;
  /** Whether requests without it are accepted: errors are caught, or an empty string is used. */
  isServedWithout: boolean;
  /** Whether it may cause a 401 or 403, so that its possible values are secrets. */
  guardsAccess: boolean;
}

export interface BodyRead extends GuardedInput {
  /** How it is read. `raw` is Node's own request. */
  readonly by: "bindBody" | "readText" | "readBytes" | "raw";
  /** How it is decoded: by its content type, as JSON, or not at all. */
  form: "bound" | "json" | "text" | "bytes";
  /** The type that the read itself names. */
  readonly named: Place | undefined;
  /** Other locations for a type query, the best one first. */
  readonly types: TypePlace[];
  /** The validator for it. */
  readonly schema?: Origin | undefined;
  isRequired: boolean;
  /** Whether errors of the read are caught and handled. */
  isCaught: boolean;
}

export interface TypePlace {
  readonly kind: "type" | "expression" | "input";
  readonly place: Place;
  /** The index of the function's argument that is used there, so that its callers can provide more. */
  readonly argument?: number | undefined;
}

/**
 * Where a value is written: in the function that uses it and, if it is an argument there, in the callers, the outermost
 * first.
 */
export interface Origin {
  readonly places: readonly Place[];
  /** The index of the function's argument. */
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
    isSecret: false,
    ...read,
  };
}
