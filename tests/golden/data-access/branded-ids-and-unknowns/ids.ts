declare const brand: unique symbol;

export type Brand<T, Name extends string> = T & { readonly [brand]: Name };

export type EndpointId = Brand<string, "EndpointId">;
export type AttemptNumber = Brand<number, "AttemptNumber">;
export type DeliveryId = string & { readonly __type: "DeliveryId" };

export const endpointId = (text: string): EndpointId => text as EndpointId;
