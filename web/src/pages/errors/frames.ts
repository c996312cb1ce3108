/** A parsed stack: frames of the application, and groups of other frames between them. */

export interface Frame {
  /** The called function, if it has a name. */
  readonly call: string | undefined;
  /** File, line and column. */
  readonly place: string;
  /** Whether the frame belongs to the application and not to a package or to Node. */
  readonly isOwn: boolean;
}

/** Consecutive frames of one kind. */
export interface Stretch {
  readonly isOwn: boolean;
  readonly frames: readonly Frame[];
}

const lineStart = "    at ";

/** The message precedes the frames and may contain lines that look like frames. */
export function parseStack(stack: string, message: string): readonly Frame[] {
  const at = stack.indexOf(message);
  const rest = at === -1 ? stack : stack.slice(at + message.length);
  return rest
    .split("\n")
    .filter((line) => line.startsWith(lineStart))
    .map((line) => parseFrame(line.slice(lineStart.length)));
}

function parseFrame(text: string): Frame {
  const [, call, within] = /^(.*?) \((.*)\)$/s.exec(text) ?? [];
  const place = (within ?? text.replace(/^async /, "")).replace(/^file:\/\//, "");
  return { call, place, isOwn: isOwnPlace(place) };
}

function isOwnPlace(place: string): boolean {
  if (place.startsWith("node:") || /[\\/]node_modules[\\/]/.test(place)) return false;
  return place.includes("/") || place.includes("\\");
}

export function toStretches(frames: readonly Frame[]): readonly Stretch[] {
  const stretches: { isOwn: boolean; frames: Frame[] }[] = [];
  for (const frame of frames) {
    const last = stretches.at(-1);
    if (last?.isOwn === frame.isOwn) last.frames.push(frame);
    else stretches.push({ isOwn: frame.isOwn, frames: [frame] });
  }
  return stretches;
}
