export interface Store {
  id: string;
  city: string;
  opens: number;
  closes: number;
}

export interface Receipt {
  number: string;
  terminal: string;
  total: number;
  voided: boolean;
}

export const stores: Store[] = [];
export const receipts: Receipt[] = [];
export const terminals = new Map<string, Date>();
