export function capitalize(text: string): string {
  return text.replace(/^./, (letter) => letter.toUpperCase());
}
