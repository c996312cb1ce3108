import { ApiError } from "../../../../src/index.ts";

export interface Address {
  name: string;
  street: string;
  city: string;
  country: string;
}

export interface Parcel {
  weight: number;
  fragile: boolean;
}

export interface NewShipment {
  recipient: Address;
  parcels: Parcel[];
  service: "standard" | "express";
  reference?: string;
}

export interface StatusUpdate {
  status: "collected" | "delivered" | "lost";
  at: string;
  place?: string;
}

class Invalid extends ApiError {
  constructor(field: string, message: string) {
    super(422, "The shipment is not valid.", { data: { [field]: { code: "INVALID", message } } });
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value.trim() !== "";
}

function assertIsAddress(value: unknown, field: string): asserts value is Address {
  if (!isRecord(value)) throw new Invalid(field, "An address is needed.");
  for (const part of ["name", "street", "city", "country"]) {
    if (!isText(value[part])) throw new Invalid(`${field}.${part}`, "This is missing.");
  }
}

function assertIsParcel(value: unknown, field: string): asserts value is Parcel {
  if (!isRecord(value)) throw new Invalid(field, "A parcel is needed.");
  if (typeof value.weight !== "number" || value.weight > 31.5)
    throw new Invalid(`${field}.weight`, "Too heavy.");
  if (typeof value.fragile !== "boolean") throw new Invalid(`${field}.fragile`, "Yes or no.");
}

export function assertIsShipment(body: unknown): asserts body is NewShipment {
  if (!isRecord(body)) throw new Invalid("body", "An object is needed.");
  assertIsAddress(body.recipient, "recipient");
  if (!Array.isArray(body.parcels)) throw new Invalid("parcels", "A list is needed.");
  for (const [index, parcel] of body.parcels.entries()) assertIsParcel(parcel, `parcels.${index}`);
  if (body.service !== "standard" && body.service !== "express")
    throw new Invalid("service", "There is no such service.");
  if (body.reference !== undefined && !isText(body.reference))
    throw new Invalid("reference", "This is empty.");
}

export function isStatusUpdate(body: unknown): body is StatusUpdate {
  return (
    isRecord(body) &&
    (body.status === "collected" || body.status === "delivered" || body.status === "lost") &&
    isText(body.at) &&
    !Number.isNaN(Date.parse(body.at)) &&
    (body.place === undefined || isText(body.place))
  );
}
