import type Person from "./person.ts";

export type Team = { members: Person[] };
