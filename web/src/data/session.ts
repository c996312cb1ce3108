import { signal } from "@preact/signals";
import { root } from "./root.ts";

/** The signed-in user, and handling of expired sessions. */

export const email: string = document.getElementById("app")?.dataset.email ?? "";

/** The page of the user's account, which also signs in. */
export const accountPath = `${root}/_/`;

/** Whether the session has expired and the user must sign in again. */
export const isSignedOut = signal(false);

let resumed: PromiseWithResolvers<void> | undefined;

/** Resolves when the user has signed in again. */
export function signIn(): Promise<void> {
  isSignedOut.value = true;
  resumed ??= Promise.withResolvers();
  return resumed.promise;
}

/** Signs in with the given credentials. Returns the server's message if it refuses them. */
export async function submitSignIn(identity: string, password: string): Promise<string | undefined> {
  const response = await fetch(`${root}/_/sign-in`, {
    method: "POST",
    redirect: "manual",
    body: new URLSearchParams({ identity, password, next: `${root}/_/_` }),
  });
  // A successful sign-in redirects; the browser does not expose the target.
  if (response.type !== "opaqueredirect") return readProblem(response);
  isSignedOut.value = false;
  resumed?.resolve();
  resumed = undefined;
  return undefined;
}

/** The message of an error response, or of the sign-in page. */
async function readProblem(response: Response): Promise<string> {
  const text = await response.text();
  const isJson = response.headers.get("Content-Type")?.startsWith("application/json");
  const message = isJson ? messageOf(text) : findProblem(text);
  return message || `The sign-in failed with status ${response.status}.`;
}

function messageOf(json: string): string | undefined {
  try {
    return (JSON.parse(json) as { message?: string }).message;
  } catch {
    return undefined;
  }
}

function findProblem(page: string): string | undefined {
  const shown = new DOMParser().parseFromString(page, "text/html");
  return shown.querySelector("[role=alert], .problem")?.textContent?.trim();
}
