export type Result<T, E> = { ok: true; value: T } | { ok: false; error: E };

export const ok = <T>(value: T): Result<T, never> => ({ ok: true, value });
export const err = <E>(error: E): Result<never, E> => ({ ok: false, error });

export const map =
  <T, U>(f: (value: T) => U) =>
  <E>(result: Result<T, E>): Result<U, E> =>
    result.ok ? ok(f(result.value)) : result;

export const andThen =
  <T, U, F>(f: (value: T) => Result<U, F>) =>
  <E>(result: Result<T, E>): Result<U, E | F> =>
    result.ok ? f(result.value) : result;

export function pipe<A, B>(a: A, ab: (a: A) => B): B;
export function pipe<A, B, C>(a: A, ab: (a: A) => B, bc: (b: B) => C): C;
export function pipe(start: unknown, ...steps: ((value: unknown) => unknown)[]): unknown {
  return steps.reduce((value, step) => step(value), start);
}
