const ORDER_STATES = ["open", "paid", "cancelled"] as const;

export type OrderState = (typeof ORDER_STATES)[number];

export interface OrderLine {
  sku: string;
  quantity: number;
  price: number;
}

export interface Order {
  id: string;
  customerId: string;
  state: OrderState;
  lines: OrderLine[];
  placedAt: Date;
}

const orders = new Map<string, Order>();

export function isOrderState(text: string): text is OrderState {
  return (ORDER_STATES as readonly string[]).includes(text);
}

export function ordersOf(customerId: string): Order[] {
  return [...orders.values()].filter((order) => order.customerId === customerId);
}

export function orderById(id: string): Order | undefined {
  return orders.get(id);
}
