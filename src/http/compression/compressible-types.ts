/**
 * Types that become much smaller. Images, audio, video and archives are compressed already. Event streams are left out,
 * because each event would need a flush.
 */
export const compressibleTypes = new RegExp(
  [
    /^text\/(?!event-stream$)/,
    /\+(?:json|text|xml|yaml)$/,
    /^application\/(?:x-)?(?:ecmascript|graphql|javascript|json|jsonl|ndjson|rtf|sql|toml|wasm|xml|yaml)$/,
    /^application\/vnd\.ms-fontobject$/,
    /^font\/(?:collection|otf|ttf)$/,
    /^image\/(?:bmp|vnd\.microsoft\.icon|x-icon)$/,
  ]
    .map(({ source }) => source)
    .join("|"),
);

/** Whether a content type is among the given ones. They are compared without parameters and in lower case. */
export function isOfType(type: string, types: RegExp): boolean {
  const end = type.indexOf(";");
  const plain = (end === -1 ? type : type.slice(0, end)).trim().toLowerCase();
  // Unlike `test`, it does not depend on earlier calls if the expression is global.
  return plain.search(types) !== -1;
}
