import { ApiError } from "../../../../src/index.ts";

export class NotFound extends ApiError {
  constructor(what: string) {
    super(404, `There is no such ${what}.`);
  }
}

export class HttpError extends ApiError {
  constructor(status: number, message: string) {
    super(status, message, { code: "HTTP" });
  }
}

export class Conflict extends HttpError {
  constructor() {
    super(409, "Someone was faster.");
  }
}

export class Locked extends Conflict {}
