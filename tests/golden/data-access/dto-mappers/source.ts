// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";
import { MembershipDto, toMemberDto } from "./mappers.ts";
import type { MemberRow, MembershipRow } from "./rows.ts";

declare function selectMembers(): Promise<MemberRow[]>;
declare function selectMember(id: string): Promise<MemberRow | undefined>;
declare function selectMembership(memberId: string): Promise<MembershipRow | undefined>;
declare function insertMember(values: {
  first_name: string;
  last_name: string;
  email: string;
}): Promise<MemberRow>;

const listMembers = async (e: RequestEvent) => {
  const rows = await selectMembers();
  return e.json(200, rows.filter((row) => row.deleted_at === null).map(toMemberDto));
};

const getMember = async (e: RequestEvent<"id">) => {
  const row = await selectMember(e.pathValue("id"));
  if (!row || row.deleted_at) throw e.error(404, "There is no such member.");
  const membership = await selectMembership(row.id);
  return e.json(200, {
    ...toMemberDto(row),
    membership: membership ? MembershipDto.from(membership) : undefined,
  });
};

const addMember = async (e: RequestEvent) => {
  const body = await e.bindBody<{ firstName: string; lastName: string; email: string }>();
  const row = await insertMember({ first_name: body.firstName, last_name: body.lastName, email: body.email });
  const member = toMemberDto(row);
  e.setHeader("Location", `/members/${member.id}`);
  return e.json(201, member);
};

const getMembership = async (e: RequestEvent<"id">) => {
  const row = await selectMembership(e.pathValue("id"));
  if (row === undefined) return e.noContent();
  return e.json(200, MembershipDto.from(row));
};

export function routes(router: VersionedRouter): void {
  router.get("/members", listMembers);
  router.post("/members", addMember);
  router.get("/members/{id}", getMember);
  router.get("/members/{id}/membership", getMembership);
}
