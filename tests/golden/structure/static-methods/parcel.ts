import { ApiError } from "../../../../src/index.ts";

export interface ParcelData {
  recipient: string;
  weight: number;
  express?: boolean;
}

export interface Stop {
  place: string;
  at: Date;
}

class TooHeavy extends ApiError {
  constructor(weight: number) {
    super(422, `${weight} kg is more than a parcel may weigh.`);
  }
}

export class Parcel {
  static readonly MOST_KILOGRAMS = 31.5;
  static count = 0;

  readonly number: string;
  readonly recipient: string;
  readonly weight: number;
  readonly express: boolean;
  readonly stops: Stop[] = [];

  constructor(number: string, { recipient, weight, express = false }: ParcelData) {
    this.number = number;
    this.recipient = recipient;
    this.weight = weight;
    this.express = express;
  }

  static of(data: ParcelData): Parcel {
    if (data.weight > Parcel.MOST_KILOGRAMS) throw new TooHeavy(data.weight);
    Parcel.count += 1;
    return new Parcel(`P${Parcel.count}`, data);
  }
}
