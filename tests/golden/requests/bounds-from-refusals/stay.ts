import { ApiError } from "../../../../src/index.ts";

const MAX_NIGHTS = 30;

export class InvalidStay extends ApiError {
  constructor(message: string) {
    super(422, message);
  }
}

/** How long somebody stays. */
export class Stay {
  readonly nights: number;

  constructor(nights: number) {
    if (!Number.isInteger(nights) || nights <= 0) throw new InvalidStay("A stay has one night or more.");
    if (nights > MAX_NIGHTS) throw new InvalidStay(`A stay has at most ${MAX_NIGHTS} nights.`);
    this.nights = nights;
  }
}
