import { ApiError } from "../../../../src/index.ts";

export interface Order {
  id: string;
  paid: boolean;
}

declare const orders: Map<string, Order>;

export class OrderService {
  find(id: string): Order {
    const order = orders.get(id);
    if (order === undefined) throw new ApiError(404, "There is no such order.");
    return order;
  }

  async pay(id: string): Promise<Order> {
    const order = this.find(id);
    assertUnpaid(order);
    return { ...order, paid: true };
  }
}

function assertUnpaid(order: Order): asserts order is Order & { paid: false } {
  if (order.paid) throw new ApiError(409, "It is paid.");
}
