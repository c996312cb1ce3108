import { ApiError } from "../../../../src/index.ts";

export abstract class BillingError extends ApiError {}

export class NotFoundError extends BillingError {
  constructor(what: string, id: string) {
    super(404, `There is no ${what} ${id}.`);
  }
}

export class MalformedNumber extends BillingError {
  constructor() {
    super(422, "An invoice number looks like 2025-00042.");
  }
}

export class RuleError extends BillingError {
  constructor(message: string, status: 409 | 423 = 409) {
    super(status, message, { code: "BILLING_RULE" });
  }
}

export class AlreadyPaid extends RuleError {
  constructor(number: string) {
    super(`The invoice ${number} has been paid.`);
  }
}

export class InvoiceLocked extends RuleError {
  constructor(number: string) {
    super(`The invoice ${number} is being audited.`, 423);
  }
}
