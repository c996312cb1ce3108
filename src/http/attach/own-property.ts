/** Sets a property on an object. The result restores the earlier state, unless another program has replaced it since. */
export function setOwn<T extends object, K extends keyof T>(object: T, name: K, value: T[K]): () => void {
  const before = Object.getOwnPropertyDescriptor(object, name);
  const enumerable = before?.enumerable ?? false;
  Object.defineProperty(object, name, { value, writable: true, configurable: true, enumerable });
  return () => {
    if (object[name] !== value) return;
    if (before) Object.defineProperty(object, name, before);
    else delete object[name];
  };
}
