/** Text with code in backticks, as in messages of the analysis. */
export function TextWithCode({ text }: { text: string }) {
  return (
    <>{text.split("`").map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part))}</>
  );
}
