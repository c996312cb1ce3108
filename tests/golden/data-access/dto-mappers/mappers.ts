import type { MemberRow, MembershipRow } from "./rows.ts";

export interface MemberDto {
  id: string;
  fullName: string;
  email: string;
  /** @format date-time */
  joinedAt: string;
}

export function toMemberDto(row: MemberRow): MemberDto {
  return {
    id: row.id,
    fullName: `${row.first_name} ${row.last_name}`,
    email: row.email,
    joinedAt: row.created_at.toISOString(),
  };
}

export class MembershipDto {
  readonly plan: MembershipRow["plan"];
  readonly monthlyPrice: number;
  readonly validUntil: Date;
  readonly isCancelled: boolean;

  constructor(row: MembershipRow) {
    this.plan = row.plan;
    this.monthlyPrice = row.price_cents / 100;
    this.validUntil = row.valid_until;
    this.isCancelled = row.cancelled === 1;
  }

  static from(row: MembershipRow): MembershipDto {
    return new MembershipDto(row);
  }
}
