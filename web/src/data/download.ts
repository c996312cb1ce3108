/** Downloads a text as a file. */
export function downloadText(name: string, text: string, type = "text/plain"): void {
  const address = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
  // By then the browser has started to read the URL.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/** Makes a text safe for use in a file name: removes characters with a special meaning in file systems and shells. */
export function toFileName(text: string): string {
  return text.replaceAll(/[^\p{L}\p{N}._-]+/gu, "-").replaceAll(/^[.-]+|-+$/g, "") || "file";
}
