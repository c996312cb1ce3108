import { MalformedNumber } from "../errors.ts";

export class InvoiceNumber {
  readonly text: string;

  constructor(text: string) {
    if (!/^\d{4}-\d{5}$/.test(text)) throw new MalformedNumber();
    this.text = text;
  }
}
