/** Finds the frames of a stack. The message of an error can have lines that begin like a frame, but end otherwise. */

const beginsLikeFrame = /^\s+(?:at |…)/;
/** All frames of V8 end with a location. Annex shortens the frames of a cause. */
const endsWithLocation =
  /^\s+(?:at .*(?::\d+\)?|:0x[\da-f]+\)?|<anonymous>\)?|native\)?|\(index \d+\))|… \d+ frames as above)\s*$/;
/** Lines that programs write between and after frames. */
const isSeparator = /^(?:From previous event:|Node\.js v[\d.]{1,20})?\s*$/;

/** Where the text of a stack ends and the frames at its end begin. */
export function endOfText(stack: string): number {
  let end = stack.length;
  while (end > 0) {
    const start = stack.lastIndexOf("\n", end - 1);
    const line = stack.slice(start + 1, end);
    if (start === -1 || !(endsWithLocation.test(line) || isSeparator.test(line))) return end;
    end = start;
  }
  return end;
}

/** Returns the frames after the message of an error, also those of earlier parts of an asynchronous stack. */
export function findFrames(rest: string): string {
  const lines = rest.split("\n");
  const isAllFrames = lines.every((line) => beginsLikeFrame.test(line) || isSeparator.test(line));
  const frames = lines
    .slice(1)
    .filter((line) => (isAllFrames ? beginsLikeFrame : endsWithLocation).test(line));
  return frames.map((line) => `\n${line}`).join("");
}
