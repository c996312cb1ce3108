export interface Charge {
  id: string;
  amount: number;
  currency: "EUR" | "CHF";
}

export class GatewayError extends Error {}

export class CardExpired extends GatewayError {
  readonly expiredOn: Date;

  constructor(expiredOn: Date) {
    super("The card has expired.");
    this.expiredOn = expiredOn;
  }
}

export class LimitExceeded extends GatewayError {}

export class GatewayDown extends GatewayError {}

async function send(path: string, body: object): Promise<Charge> {
  const response = await fetch(`https://gateway.example${path}`, {
    method: "POST",
    body: JSON.stringify(body),
  });
  if (response.status === 402) throw new CardExpired(new Date(response.headers.get("expired") ?? 0));
  if (response.status === 429) throw new LimitExceeded("Too much for this card.");
  if (!response.ok) throw new GatewayDown(`The gateway answered ${response.status}.`);
  return (await response.json()) as Charge;
}

export function charge(card: string, amount: number): Promise<Charge> {
  return send("/charges", { card, amount });
}

export function refund(chargeId: string): Promise<Charge> {
  return send(`/charges/${chargeId}/refunds`, {});
}
