import { type Frame, parseStack, type Stretch, toStretches } from "./frames.ts";

/** The stack: frames of the application, with those of packages and Node folded. */
export function Stack({ stack, message }: { stack: string; message: string }) {
  const frames = parseStack(stack, message);
  if (frames.length === 0) {
    return <p class="hint">No stack, because the thrown value is not an Error.</p>;
  }
  const hasOwn = frames.some(({ isOwn }) => isOwn);
  return (
    <div class="call-stack box mono">
      {toStretches(frames).map((stretch, index) =>
        stretch.isOwn || !hasOwn ? (
          <Frames key={index} frames={stretch.frames} />
        ) : (
          <Folded key={index} stretch={stretch} />
        ),
      )}
    </div>
  );
}

function Folded({ stretch: { frames } }: { stretch: Stretch }) {
  return (
    <details>
      <summary>
        {frames.length === 1 ? "One frame" : `${frames.length} frames`} of {describeOwner(frames)}
      </summary>
      <Frames frames={frames} />
    </details>
  );
}

/** Package names, as many as fit in a line. */
function describeOwner(frames: readonly Frame[]): string {
  const owners = new Set(frames.map(({ place }) => ownerOf(place)));
  return owners.size > 3 ? "packages and Node" : [...owners].join(", ");
}

function ownerOf(place: string): string {
  const [, name] = /.*node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+)/.exec(place) ?? [];
  return name ?? "Node";
}

function Frames({ frames }: { frames: readonly Frame[] }) {
  return (
    <ol>
      {frames.map(({ call, place, isOwn }, index) => (
        <li key={index} class={isOwn ? "own" : ""}>
          <span class="stack-call">{call ?? "(anonymous)"}</span>
          <span class="stack-place">{place}</span>
        </li>
      ))}
    </ol>
  );
}
