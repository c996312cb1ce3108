import { instanceProperty, staticProperty } from "./classes.ts";
import { arrayMethods } from "./expressions/arrays.ts";
import type { InterpreterContext, Site } from "./interpreter-context.ts";
import { bodiesBehind, opaqueOf } from "./request/body-uses.ts";
import { partProperty } from "./request/request-parts.ts";
import { loosenItem, union, widen } from "./values/alternatives.ts";
import {
  type ArrayValue,
  type ObjectValue,
  type ReadValue,
  type RequestPart,
  undefinedValue,
  unknown,
  type Value,
} from "./values/value.ts";

/** The value of `of.name`, for each kind of value. */
export function findProperty(machine: InterpreterContext, of: Value, name: string, site: Site): Value {
  switch (of.kind) {
    case "object":
      return propertyOf(machine, of, name, site);
    case "array":
      if (/^\d+$/.test(name)) return itemOf(of, Number(name));
      return arrayMethods.has(name) ? { kind: "native", name: `[].${name}`, receiver: of } : unknown;
    case "instance":
      return instanceProperty(machine, of, name, site);
    case "class":
      return staticProperty(machine, of, name);
    case "module":
      return machine.exported(of.path, name);
    case "regex":
      return name === "test" || name === "exec"
        ? { kind: "native", name: "regex.test", receiver: of }
        : unknown;
    case "native":
      return { kind: "native", name: `${of.name}.${name}` };
    case "union":
      return union(of.values.map((value) => machine.property(value, name, site)));
    case "function":
    case "method":
      return /^(bind|call|apply)$/.test(name) ? { kind: "native", name, receiver: of } : unknown;
    case "body":
    case "opaque":
      return opaqueOf(bodiesBehind(of));
    case "read":
      return lengthOf(of, name);
    case "literal":
    case "sent":
    case "error":
    case "annex":
      return unknown;
    default:
      return partProperty(machine, of.kind as RequestPart, name, site);
  }
}

function propertyOf(machine: InterpreterContext, of: ObjectValue, name: string, site: Site): Value {
  const found = of.properties.get(name);
  if (found?.kind === "function" && found.isGetter) return machine.call(found, [], site);
  if (found) return of.isShared ? widen(found) : found;
  return of.rest ? machine.property(of.rest, name, site) : of.isShared ? unknown : undefinedValue;
}

function itemOf(of: ArrayValue, index: number): Value {
  const item = of.items[index] ?? (of.isComplete ? undefinedValue : unknown);
  return of.isShared ? loosenItem(item) : item;
}

/** `q.length`: a value with a length is a string or a list. */
function lengthOf(of: ReadValue, name: string): Value {
  if (of.form !== "text" || name !== "length" || of.read.isList) return unknown;
  of.read.isText = true;
  return { ...of, form: "length" };
}
