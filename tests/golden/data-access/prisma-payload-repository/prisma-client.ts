// A miniature of what `prisma generate` writes, with decimals and transactions.

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

export class Decimal {
  readonly #digits: string;

  constructor(digits: string) {
    this.#digits = digits;
  }

  toNumber(): number {
    return Number(this.#digits);
  }

  toFixed(places: number): string {
    return this.toNumber().toFixed(places);
  }

  toJSON(): string {
    return this.#digits;
  }
}

export type InvoiceStatus = "DRAFT" | "SENT" | "PAID";

type $CustomerPayload = {
  scalars: { id: string; name: string; vatNumber: string | null };
  objects: { invoices: $InvoicePayload[] };
};

type $InvoicePayload = {
  scalars: {
    id: string;
    number: string;
    status: InvoiceStatus;
    issuedAt: Date;
    paidAt: Date | null;
    total: Decimal;
    customerId: string;
  };
  objects: { customer: $CustomerPayload; lines: $InvoiceLinePayload[] };
};

type $InvoiceLinePayload = {
  scalars: { id: string; invoiceId: string; description: string; quantity: number; unitPrice: Decimal };
  objects: { invoice: $InvoicePayload };
};

type CustomerSelect = { id?: boolean; name?: boolean; vatNumber?: boolean };
type InvoiceLineSelect = { id?: boolean; description?: boolean; quantity?: boolean; unitPrice?: boolean };

type InvoiceInclude = {
  customer?: boolean | { select?: CustomerSelect | null };
  lines?: boolean | { select?: InvoiceLineSelect | null };
};

export type InvoiceDefaultArgs = { include?: InvoiceInclude | null };
export type InvoiceFindUniqueArgs = InvoiceDefaultArgs & { where: { id: string } };
export type InvoiceFindManyArgs = InvoiceDefaultArgs & {
  where?: { status?: InvoiceStatus; customerId?: string };
  orderBy?: { issuedAt?: "asc" | "desc" };
  skip?: number;
  take?: number;
};
export type InvoiceGetPayload<A extends InvoiceDefaultArgs> = GetResult<$InvoicePayload, A>;

interface InvoiceDelegate {
  findUnique<T extends InvoiceFindUniqueArgs>(args: T): Promise<GetResult<$InvoicePayload, T> | null>;
  findMany<T extends InvoiceFindManyArgs>(args?: T): Promise<GetResult<$InvoicePayload, T>[]>;
  count(): Promise<number>;
}

export interface PrismaClient {
  invoice: InvoiceDelegate;
  $transaction<P extends Promise<unknown>[]>(queries: [...P]): Promise<{ [K in keyof P]: Awaited<P[K]> }>;
}

export const prisma = {} as PrismaClient;
