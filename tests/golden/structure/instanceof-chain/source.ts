// API_SOURCE
import { ApiError, type RequestEvent, type VersionedRouter } from "../../../../src/index.ts";
import { CardExpired, charge, GatewayDown, LimitExceeded, refund } from "./gateway.ts";

interface PaymentRequest {
  card: string;
  amount: number;
}

interface Booking {
  id: string;
  chargeId: string | null;
  paid: number;
}

const bookings = new Map<string, Booking>();

function bookingOf(e: RequestEvent<"id">): Booking {
  const booking = bookings.get(e.pathValue("id"));
  if (!booking) throw e.error(404, "There is no such booking.");
  return booking;
}

/** Says in words of HTTP what went wrong at the gateway. */
function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof CardExpired) return new ApiError(402, "The card has expired.", { cause: error });
  if (error instanceof LimitExceeded) return new ApiError(409, "The limit of the card is exceeded.");
  if (error instanceof GatewayDown)
    return new ApiError(503, "Payments are not possible now.", { cause: error });
  return new ApiError(502, "The gateway could not be reached.", { cause: error });
}

/** Pay for a booking. */
export async function payBooking(e: RequestEvent<"id">) {
  const { card, amount } = await e.bindBody<PaymentRequest>();
  try {
    const booking = bookingOf(e);
    const made = await charge(card, amount);
    booking.chargeId = made.id;
    booking.paid += made.amount;
    return e.json(201, { booking: booking.id, charge: made });
  } catch (error) {
    throw toApiError(error);
  }
}

/** Give the money for a booking back. */
export async function refundBooking(e: RequestEvent<"id">) {
  const booking = bookingOf(e);
  if (booking.chargeId === null) throw e.error(409, "The booking has not been paid.");
  try {
    const { amount } = await refund(booking.chargeId);
    return e.json(200, { booking: booking.id, amount });
  } catch (error) {
    if (error instanceof CardExpired) {
      return e.json(422, { reason: error.message, expiredOn: error.expiredOn });
    } else if (error instanceof GatewayDown) {
      e.setHeader("Retry-After", 30);
      throw e.error(503, "Refunds are not possible now.");
    } else {
      throw error;
    }
  }
}

export function routes(router: VersionedRouter): void {
  router.post("/bookings/{id}/payments", payBooking);
  router.post("/bookings/{id}/refund", refundBooking);
}
