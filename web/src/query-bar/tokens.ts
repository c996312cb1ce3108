/** One word of a query: `field:value`, `-field:value`, or text to search for. */

export interface Token {
  /** Position in the query. */
  readonly start: number;
  readonly end: number;
  readonly isNegated: boolean;
  /** Undefined for free text. */
  readonly field: string | undefined;
  /** A quoted name is always a plain field name: `"status":late` is a field called "status". */
  readonly isPlain: boolean;
  /** Without quotes. */
  readonly value: string;
  /** The quote is not closed. */
  readonly isOpen: boolean;
}

const fieldName = /^[A-Za-z_][\w.-]*$/;

export function splitTokens(text: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  while (at < text.length) {
    if (/\s/.test(text[at]!)) at++;
    else {
      const token = readToken(text, at);
      tokens.push(token);
      at = token.end;
    }
  }
  return tokens;
}

function readToken(text: string, start: number): Token {
  const isNegated = text[start] === "-" && start + 1 < text.length && !/\s/.test(text[start + 1]!);
  let at = isNegated ? start + 1 : start;
  const begin = at;
  let [field, value, isOpen, isQuoted] = ["", "", false, false];
  let hasField = false;
  while (at < text.length && (isOpen || !/\s/.test(text[at]!))) {
    const letter = text[at]!;
    if (isOpen && letter === "\\" && at + 1 < text.length) value += text[++at];
    else if (letter === '"') {
      isQuoted ||= at === begin;
      isOpen = !isOpen;
    } else if (letter === ":" && !isOpen && !hasField && isField(value, isQuoted, text.slice(at + 1))) {
      [field, value, hasField] = [value, "", true];
    } else value += letter;
    at++;
  }
  return {
    start,
    end: at,
    isNegated,
    field: hasField ? field : undefined,
    isPlain: hasField && isQuoted,
    value,
    isOpen,
  };
}

/** Quoted names can contain anything. `https://…` and `14:03:27` are free text despite the colon. */
function isField(name: string, isQuoted: boolean, rest: string): boolean {
  return name !== "" && (isQuoted || (fieldName.test(name) && !rest.startsWith("//")));
}

export interface TokenLook {
  readonly isNegated?: boolean;
  readonly isPlain?: boolean;
}

/** Formats a token so that it is parsed as the same token. */
export function formatToken(
  field: string,
  value: string,
  { isNegated = false, isPlain = false }: TokenLook = {},
): string {
  const name = fieldName.test(field) && !isPlain ? field : quote(field);
  const written = value === "" || /[\s"\\]/.test(value) ? quote(value) : value;
  return `${isNegated ? "-" : ""}${name}:${written}`;
}

const quote = (text: string) => `"${text.replace(/["\\]/g, "\\$&")}"`;

/** Adds a token to the query. Removes its opposite and does not add duplicates. */
export function addToken(text: string, field: string, value: string, look: TokenLook = {}): string {
  const isSame = (token: Token) => token.field === field && token.value === value;
  const rest = dropTokens(text, isSame);
  return `${rest} ${formatToken(field, value, look)}`.trim();
}

/** Replaces all tokens of a field with one token, or removes them. */
export function setToken(text: string, field: string, value: string | undefined): string {
  const rest = dropTokens(text, (token) => token.field === field && !token.isNegated);
  return value === undefined ? rest : `${rest} ${formatToken(field, value)}`.trim();
}

function dropTokens(text: string, isUnwanted: (token: Token) => boolean): string {
  return splitTokens(text)
    .filter((token) => !isUnwanted(token))
    .map(({ start, end }) => text.slice(start, end))
    .join(" ");
}
