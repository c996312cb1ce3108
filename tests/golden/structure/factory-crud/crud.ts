// API_SOURCE
import type { CRUDHandlers } from "../../../../src/index.ts";
import type { Repository } from "./repository.ts";

function whole(text: string | undefined, fallback: number): number {
  return text ? Number.parseInt(text, 10) : fallback;
}

/** The usual handlers over any repository. */
export function makeCrud<Row extends { id: string }, New>(
  repository: Repository<Row, New>,
  usualPerPage: number,
): CRUDHandlers {
  return {
    async list(e) {
      const page = whole(e.query("page"), 1);
      const perPage = whole(e.query("perPage"), usualPerPage);
      const rows = await repository.list((page - 1) * perPage, perPage);
      return e.json(200, rows);
    },

    async create(e) {
      const input = await e.bindBody<New>();
      const row = await repository.add(input);
      e.setHeader("Location", `${e.path}/${row.id}`);
      return e.json(201, row);
    },

    async get(e) {
      const row = await repository.find(e.pathValue("id"));
      if (row === undefined) throw e.error(404, "Not found.");
      return e.json(200, row);
    },

    async delete(e) {
      if (!(await repository.remove(e.pathValue("id")))) throw e.error(404, "Not found.");
      return e.noContent();
    },
  };
}
