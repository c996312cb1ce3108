export type Serialized<T> = T extends Date
  ? string
  : T extends readonly (infer Item)[]
    ? Serialized<Item>[]
    : T extends object
      ? { [K in keyof T]: Serialized<T[K]> }
      : T;

export type Nullable<T> = { [K in keyof T]: T[K] | null };

export type KeysOfType<T, V> = { [K in keyof T]-?: T[K] extends V ? K : never }[keyof T];

export type NumbersOf<T> = Pick<T, KeysOfType<T, number>>;

export type Prefixed<T, P extends string> = { [K in keyof T & string as `${P}_${K}`]: T[K] };

export type Changes<T> = { [K in keyof T]?: { from: T[K]; to: T[K] } };

export function serialize<T>(value: T): Serialized<T> {
  return JSON.parse(JSON.stringify(value)) as Serialized<T>;
}
