export interface Subscriber {
  id: string;
  email: string;
  name: string;
  confirmed: boolean;
  source: string | null;
  createdAt: Date;
}

export interface SubscriberModel {
  find(filter: { confirmed: boolean; skip: number; limit: number }): Promise<Subscriber[]>;
  findById(id: string): Promise<Subscriber | null>;
  findByEmail(email: string): Promise<Subscriber | null>;
  create(values: Pick<Subscriber, "email" | "name" | "source">): Promise<Subscriber>;
  update(id: string, values: Partial<Subscriber>): Promise<Subscriber>;
  remove(id: string): Promise<void>;
}
