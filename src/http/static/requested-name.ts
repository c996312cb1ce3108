/** Paths that could leave the folder, or mean the same file as another path. */
const unsafe = /[\\\0]|^\/|\/\/|(?:^|\/)\.\.?(?:\/|$)/;
/** On Windows, these parts name a drive, a stream of a file, or another file. */
const unsafeOnWindows = /[:~]|[. ](?:\/|$)/;
const hidden = /(?:^|\/)\.(?!well-known(?:\/|$))/;

/** Whether a decoded path can be the path of a file below a folder. */
export function isSafeName(name: string, platform: NodeJS.Platform = process.platform): boolean {
  return !unsafe.test(name) && !(platform === "win32" && unsafeOnWindows.test(name));
}

/** Whether a part of the path starts with a dot. `.well-known` is public (RFC 8615). */
export function isHiddenName(name: string): boolean {
  return hidden.test(name);
}
