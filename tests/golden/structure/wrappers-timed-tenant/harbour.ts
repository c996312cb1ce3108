export interface Tenant {
  id: string;
  name: string;
}

export interface Boat {
  id: string;
  tenantId: string;
  name: string;
  length: number;
  berth: string | null;
}

export interface Move {
  boatId: string;
  from: string | null;
  to: string;
  at: Date;
}

export const boats = new Map<string, Boat>();
const tenants: Tenant[] = [];

export async function tenantByName(name: string): Promise<Tenant | undefined> {
  return tenants.find((tenant) => tenant.name === name);
}
