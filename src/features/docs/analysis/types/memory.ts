import type { Compiler, Members, Shape, TypeRef } from "./shape.ts";

/** Caches the results of a compiler, so that it is queried once per type. */
export function remember(compiler: Compiler): Compiler {
  const shapes = new Map<TypeRef, Shape>();
  const members = new Map<TypeRef, Members>();
  const rests = new Map<TypeRef, TypeRef>();
  return {
    open: (files) => compiler.open(files),
    typesAt: (queries) => compiler.typesAt(queries),
    shapeOf: (type) => getOrAdd(shapes, type, () => compiler.shapeOf(type)),
    membersOf: (type) => getOrAdd(members, type, () => compiler.membersOf(type)),
    withoutNullish: (type) => getOrAdd(rests, type, () => compiler.withoutNullish(type)),
    propertyOf: (type, name) => compiler.propertyOf(type, name),
    returnsOf: (type) => compiler.returnsOf(type),
    seesNull: (type) => compiler.seesNull(type),
    isConfigured: (type) => compiler.isConfigured(type),
    ownFiles: () => compiler.ownFiles(),
    isAlive: () => compiler.isAlive(),
    refresh: (changed) => compiler.refresh(changed),
    close: () => compiler.close(),
  };
}

function getOrAdd<K, V>(map: Map<K, V>, key: K, create: () => V): V {
  const known = map.get(key);
  if (known !== undefined) return known;
  const value = create();
  map.set(key, value);
  return value;
}
