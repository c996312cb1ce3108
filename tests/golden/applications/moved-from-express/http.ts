import type { RequestEvent } from "../../../../src/index.ts";

export const STATUS = {
  OK: 200,
  CREATED: 201,
  NO_CONTENT: 204,
  BAD_REQUEST: 400,
  UNAUTHORIZED: 401,
  NOT_FOUND: 404,
  CONFLICT: 409,
  SERVER_ERROR: 500,
} as const;

export function sendError(e: RequestEvent, status: number, message: string) {
  return e.json(status, { error: message });
}

export function handleError(e: RequestEvent, err: unknown) {
  console.error(err);
  return sendError(e, STATUS.SERVER_ERROR, "Something went wrong");
}
