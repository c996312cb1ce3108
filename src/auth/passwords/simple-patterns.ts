const minPatternLength = 8;
const rows = ["abcdefghijklmnopqrstuvwxyz", "1234567890", "qwertyuiop", "asdfghjkl;'", "zxcvbnm,./"];
const sequences = rows.flatMap((row) => [row, [...row].reverse().join("")]);

/**
 * Whether a password is a repeated short pattern, such as `abcabcabc`, or at most two runs of equal or consecutive
 * characters, such as `aaaaaaaa` and `abcd1234`. Consecutive means in the alphabet or on a keyboard.
 */
export function isSimplePattern(password: string): boolean {
  const characters = [...password.normalize("NFKC").toLowerCase()];
  return isRepetition(characters) || countRuns(characters) <= 2;
}

/** A repeated pattern is as weak as the pattern alone, which would be too short for a password. */
function isRepetition(characters: readonly string[]): boolean {
  const longest = Math.min(minPatternLength - 1, Math.floor(characters.length / 2));
  for (let period = 1; period <= longest; period++) {
    if (characters.every((character, index) => index < period || character === characters[index - period]))
      return true;
  }
  return false;
}

function countRuns(characters: readonly string[]): number {
  let runs = 0;
  for (let start = 0; start < characters.length; start = endOfRun(characters, start)) runs++;
  return runs;
}

function endOfRun(characters: readonly string[], start: number): number {
  const ends = [isEqual, ...sequences.map(followsIn)].map((follows) => {
    let end = start + 1;
    while (end < characters.length && follows(characters[end - 1]!, characters[end]!)) end++;
    return end;
  });
  return Math.max(...ends);
}

const isEqual = (one: string, next: string) => one === next;

/** Sequences continue at their start: `8`, `9`, `0`, `1`. */
function followsIn(sequence: string): (one: string, next: string) => boolean {
  return (one, next) => {
    const at = sequence.indexOf(one);
    return at !== -1 && sequence[(at + 1) % sequence.length] === next;
  };
}
