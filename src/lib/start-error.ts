/**
 * What keeps a program from starting and is not a bug: a wrong option, a port in use, a data folder that cannot be
 * written. The message is one whole sentence for a person; whoever lets it reach the top of the process gets that
 * sentence and the exit code, and no stack.
 */
export class StartError extends Error {
  override readonly name = "StartError";
  readonly code: StartErrorCode;
  readonly exitCode: number;

  constructor(code: StartErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    this.exitCode = startErrors[code];
  }
}

/** Every reason not to start, with the exit code it gives (the numbers of sysexits.h). */
export const startErrors = {
  INVALID_OPTION: 78,
  PORT_IN_USE: 69,
  ADDRESS_UNAVAILABLE: 69,
  DATA_DIR_UNUSABLE: 73,
  DATA_DIR_IN_USE: 75,
  DATABASE_UNREACHABLE: 69,
  DATABASE_UNUSABLE: 65,
  DATABASE_NEWER: 65,
} as const;

export type StartErrorCode = keyof typeof startErrors;
