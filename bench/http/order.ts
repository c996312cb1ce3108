/** The body of the `orders` scenario, about 300 bytes as JSON, and its type. */
export interface Order {
  customer: { name: string; email: string; country: "DE" | "FR" | "IT" };
  items: { sku: string; count: number; gift?: boolean }[];
  note: string | null;
  isExpress: boolean;
}

export const order: Order = {
  customer: { name: "Ada Lovelace", email: "ada@example.com", country: "FR" },
  items: [
    { sku: "A-100-20", count: 2 },
    { sku: "B-200-31", count: 1, gift: true },
    { sku: "C-300-47", count: 12 },
  ],
  note: "Please leave the parcel with the neighbours on the second floor if nobody is at home.",
  isExpress: false,
};

export const orderResponse = { items: order.items.length };
