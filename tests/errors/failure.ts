/** Part of every value that a library gets. Without digits and capitals, so that its shape does not reveal it. */
export const canary = "zanzibarcanary";

/** Fails as an application does that uses a library. */
export type Failure = () => unknown;

export type Failures = Readonly<Record<string, Failure>>;

export async function failureOf(fail: Failure): Promise<unknown> {
  try {
    await fail();
  } catch (error) {
    return error;
  }
  throw new Error("It did not fail.");
}
