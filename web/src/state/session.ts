import { signal } from "@preact/signals";

/** Who is signed in, and what happens when that ends while the page is open. */

export const email: string = document.getElementById("app")?.dataset.email ?? "";
export const annexVersion: string = document.getElementById("app")?.dataset.version ?? "";

/** Whether the session is over and somebody has to sign in before anything goes on. */
export const isSignedOut = signal(false);

let resumed: PromiseWithResolvers<void> | undefined;

/** Resolves when the user has signed in again. */
export function signIn(): Promise<void> {
  isSignedOut.value = true;
  resumed ??= Promise.withResolvers();
  return resumed.promise;
}

/** Signs in with what was typed. Gives the server's sentence when it was wrong. */
export async function submitSignIn(identity: string, password: string): Promise<string | undefined> {
  const answer = await fetch("/_/sign-in", {
    method: "POST",
    redirect: "manual",
    body: new URLSearchParams({ identity, password, next: "/_/_" }),
  });
  // A sign-in that worked leads on to a page, and the browser keeps to itself where.
  if (answer.type !== "opaqueredirect") {
    return answer.status === 429
      ? "Too many attempts. Wait a moment before you try again."
      : "The email or the password is wrong.";
  }
  isSignedOut.value = false;
  resumed?.resolve();
  resumed = undefined;
  return undefined;
}
