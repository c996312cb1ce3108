/** An invalid field, with the offset of the problem from its start. */
export class FieldError extends Error {
  readonly offset: number;

  constructor(problem: string, offset: number) {
    super(problem);
    this.offset = offset;
  }
}
