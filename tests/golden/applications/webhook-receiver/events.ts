export interface PaymentSucceeded {
  type: "payment.succeeded";
  id: string;
  paymentId: string;
  amount: number;
  currency: string;
}

export interface PaymentFailed {
  type: "payment.failed";
  id: string;
  paymentId: string;
  reason: "declined" | "expired" | "fraud";
  mayRetry: boolean;
}

export type PaymentEvent = PaymentSucceeded | PaymentFailed;

export interface RepositoryEvent {
  repository: { name: string; url: string };
  ref: string;
  commits?: { hash: string; message: string }[];
}

export interface ContactForm {
  name: string;
  email: string;
  message: string;
  company?: string;
}

export interface Delivery {
  id: string;
  sender: "payments" | "repository" | "contact";
  receivedAt: Date;
  failure: string | null;
}
