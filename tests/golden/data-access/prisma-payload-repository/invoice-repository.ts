import type { InvoiceDefaultArgs, InvoiceGetPayload, PrismaClient } from "./prisma-client.ts";

const withParts = {
  include: {
    customer: { select: { id: true, name: true } },
    lines: true,
  },
} satisfies InvoiceDefaultArgs;

export type InvoiceWithParts = InvoiceGetPayload<typeof withParts>;

export class InvoiceRepository {
  readonly #client: PrismaClient;

  constructor(client: PrismaClient) {
    this.#client = client;
  }

  async page(page: number, size: number) {
    const [rows, total] = await this.#client.$transaction([
      this.#client.invoice.findMany({
        ...withParts,
        orderBy: { issuedAt: "desc" },
        skip: (page - 1) * size,
        take: size,
      }),
      this.#client.invoice.count(),
    ]);
    return { rows, total };
  }

  find(id: string): Promise<InvoiceWithParts | null> {
    return this.#client.invoice.findUnique({ ...withParts, where: { id } });
  }

  raw(id: string) {
    return this.#client.invoice.findUnique({ where: { id } });
  }
}
