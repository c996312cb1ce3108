import { ApiError } from "../../../../../../../src/index.ts";

export class UnknownCurrency extends ApiError {
  constructor(currency: string) {
    super(422, `Prices are not available in ${currency}.`);
  }
}

export class UnknownArticle extends ApiError {
  constructor(sku: string) {
    super(404, `There is no article ${sku}.`);
  }
}
