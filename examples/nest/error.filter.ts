import { type ArgumentsHost, Catch, NotFoundException } from "@nestjs/common";
import { BaseExceptionFilter } from "@nestjs/core";
import { BookNotFound } from "../library/books.ts";
import { annex } from "./annex.ts";

/** NestJS handles all errors of its routes, so this filter reports them to Annex. */
@Catch()
export class ErrorFilter extends BaseExceptionFilter {
  override catch(error: unknown, host: ArgumentsHost): void {
    if (error instanceof BookNotFound) {
      super.catch(new NotFoundException(error.message), host);
      return;
    }
    annex.reportError(error, host.switchToHttp().getRequest());
    super.catch(error, host);
  }
}
