export interface MemberRow {
  id: string;
  first_name: string;
  last_name: string;
  email: string;
  password_hash: string;
  created_at: Date;
  deleted_at: Date | null;
}

export interface MembershipRow {
  member_id: string;
  plan: "basic" | "plus" | "family";
  price_cents: number;
  valid_until: Date;
  cancelled: 0 | 1;
}
