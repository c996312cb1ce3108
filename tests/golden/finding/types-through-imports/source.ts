// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";
import type { Model, Person, Team } from "./model/index.ts";
import type * as models from "./model/index.ts";
import type DefaultPerson from "./model/person.ts";

declare function todo(): models.Todo;
declare function again(): Model.Todo;
declare function person(): Person | DefaultPerson;
declare function team(): Team;
declare function dynamic(): import("./model/todo.ts").Todo;

function getTodo(e: RequestEvent) {
  return e.json(200, todo());
}

function getAgain(e: RequestEvent) {
  return e.json(200, again());
}

function getPerson(e: RequestEvent) {
  return e.json(200, person());
}

function getTeam(e: RequestEvent) {
  return e.json(200, team());
}

function getDynamic(e: RequestEvent) {
  return e.json(200, dynamic());
}

export function routes(router: VersionedRouter): void {
  router.get("/todo", getTodo);
  router.get("/again", getAgain);
  router.get("/person", getPerson);
  router.get("/team", getTeam);
  router.get("/dynamic", getDynamic);
}
