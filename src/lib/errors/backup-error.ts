/** Exit codes of the commands, from sysexits.h. */
const exitCodes = {
  /** The backup or the database is damaged, or a newer release wrote it. */
  invalid: 65,
  /** A file or a folder to read does not exist or cannot be read. */
  missing: 66,
  /** A file cannot be written. */
  unwritable: 73,
} as const;

/** Why a backup or a restore failed, in a message for the operator. */
export class BackupError extends Error {
  override readonly name = "BackupError";
  readonly exitCode: number;

  constructor(kind: keyof typeof exitCodes, message: string, options?: ErrorOptions) {
    super(message, options);
    this.exitCode = exitCodes[kind];
  }
}
