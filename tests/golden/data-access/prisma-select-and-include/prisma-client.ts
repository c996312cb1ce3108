// A miniature of what `prisma generate` writes: payloads, arguments and delegates of four models.

type Payload = { scalars: Record<string, unknown>; objects: Record<string, unknown> };

type GetResult<P extends Payload, A> = A extends { select: infer S extends object }
  ? { [K in keyof S as S[K] extends false | null | undefined ? never : K]: GetField<P, K, S[K]> }
  : A extends { include: infer I extends object }
    ? P["scalars"] & {
        [K in keyof I as I[K] extends false | null | undefined ? never : K]: GetField<P, K, I[K]>;
      }
    : P["scalars"];

type GetField<P extends Payload, K, A> = K extends keyof P["scalars"]
  ? P["scalars"][K]
  : K extends keyof P["objects"]
    ? GetRelation<P["objects"][K], A>
    : never;

type GetRelation<R, A> = R extends Payload
  ? GetResult<R, A>
  : R extends (infer Item extends Payload)[]
    ? GetResult<Item, A>[]
    : R;

export const OrderStatus = {
  PENDING: "PENDING",
  PAID: "PAID",
  SHIPPED: "SHIPPED",
  CANCELLED: "CANCELLED",
} as const;
export type OrderStatus = (typeof OrderStatus)[keyof typeof OrderStatus];

export type $CustomerPayload = {
  scalars: { id: string; email: string; name: string; phone: string | null; createdAt: Date };
  objects: { orders: $OrderPayload[] };
};

export type $OrderPayload = {
  scalars: {
    id: string;
    number: string;
    status: OrderStatus;
    placedAt: Date;
    shippedAt: Date | null;
    customerId: string;
  };
  objects: { customer: $CustomerPayload; lines: $OrderLinePayload[]; shipment: $ShipmentPayload | null };
};

export type $OrderLinePayload = {
  scalars: { id: string; orderId: string; sku: string; quantity: number; unitPrice: number };
  objects: { order: $OrderPayload };
};

export type $ShipmentPayload = {
  scalars: { id: string; orderId: string; carrier: string; trackingNumber: string };
  objects: { order: $OrderPayload };
};

type SortOrder = "asc" | "desc";

export type CustomerSelect = {
  id?: boolean;
  email?: boolean;
  name?: boolean;
  phone?: boolean;
  createdAt?: boolean;
  orders?: boolean | OrderArgs;
};
export type CustomerInclude = { orders?: boolean | OrderArgs };
export type CustomerArgs = { select?: CustomerSelect | null; include?: CustomerInclude | null };

export type OrderSelect = {
  id?: boolean;
  number?: boolean;
  status?: boolean;
  placedAt?: boolean;
  shippedAt?: boolean;
  customerId?: boolean;
  customer?: boolean | CustomerArgs;
  lines?: boolean | OrderLineArgs;
  shipment?: boolean | ShipmentArgs;
};
export type OrderInclude = {
  customer?: boolean | CustomerArgs;
  lines?: boolean | OrderLineArgs;
  shipment?: boolean | ShipmentArgs;
};
export type OrderArgs = { select?: OrderSelect | null; include?: OrderInclude | null };

export type OrderLineSelect = {
  id?: boolean;
  orderId?: boolean;
  sku?: boolean;
  quantity?: boolean;
  unitPrice?: boolean;
};
export type OrderLineArgs = { select?: OrderLineSelect | null };

export type ShipmentSelect = { id?: boolean; orderId?: boolean; carrier?: boolean; trackingNumber?: boolean };
export type ShipmentArgs = { select?: ShipmentSelect | null };

export type OrderWhereInput = { id?: string; customerId?: string; status?: OrderStatus };
export type OrderFindUniqueArgs = OrderArgs & { where: { id: string } };
export type OrderFindManyArgs = OrderArgs & {
  where?: OrderWhereInput;
  orderBy?: { placedAt?: SortOrder; number?: SortOrder };
  take?: number;
  skip?: number;
};
export type CustomerFindManyArgs = CustomerArgs & { orderBy?: { name?: SortOrder }; take?: number };

interface OrderDelegate {
  findUnique<T extends OrderFindUniqueArgs>(args: T): Promise<GetResult<$OrderPayload, T> | null>;
  findMany<T extends OrderFindManyArgs>(args?: T): Promise<GetResult<$OrderPayload, T>[]>;
  count(args?: { where?: OrderWhereInput }): Promise<number>;
}

interface CustomerDelegate {
  findMany<T extends CustomerFindManyArgs>(args?: T): Promise<GetResult<$CustomerPayload, T>[]>;
}

export interface PrismaClient {
  order: OrderDelegate;
  customer: CustomerDelegate;
}

export const prisma = {} as PrismaClient;
