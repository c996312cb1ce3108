import { NotFoundError } from "../errors.ts";

export class Table<Row> {
  private readonly name: string;
  private readonly rows = new Map<string, Row>();

  constructor(name: string) {
    this.name = name;
  }

  all(): Row[] {
    return [...this.rows.values()];
  }

  require(id: string): Row {
    const row = this.rows.get(id);
    if (row === undefined) throw new NotFoundError(this.name, id);
    return row;
  }
}
