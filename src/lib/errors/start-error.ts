/**
 * An error that prevents the application from starting and is not a bug, such as an invalid option or a port in use. If
 * it is not caught, the process prints the message without a stack and exits with `exitCode`.
 */
export class StartError extends Error {
  /** Always `"StartError"`. */
  override readonly name = "StartError";
  /** A stable code, such as "PORT_IN_USE". */
  readonly code: StartErrorCode;
  /** The exit code of the process, from sysexits.h. */
  readonly exitCode: number;

  constructor(code: StartErrorCode, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.code = code;
    this.exitCode = startErrors[code];
  }
}

/** All start errors with their exit codes, from sysexits.h. */
export const startErrors = {
  INVALID_OPTION: 78,
  PORT_IN_USE: 69,
  ADDRESS_UNAVAILABLE: 69,
  DATA_DIR_UNUSABLE: 73,
  DATA_DIR_IN_USE: 75,
  DATABASE_UNREACHABLE: 69,
  DATABASE_UNUSABLE: 65,
  DATABASE_NEWER: 65,
  CHECKS_MISSING: 78,
  CHECKS_OUTDATED: 78,
  ATTACH_UNSUPPORTED: 78,
} as const;

/** The code of a `StartError`. */
export type StartErrorCode = keyof typeof startErrors;
