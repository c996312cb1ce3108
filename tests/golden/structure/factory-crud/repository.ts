export interface Repository<Row, New> {
  list(skip: number, take: number): Promise<Row[]>;
  find(id: string): Promise<Row | undefined>;
  add(input: New): Promise<Row>;
  remove(id: string): Promise<boolean>;
}

export class MemoryRepository<Row extends { id: string }, New> implements Repository<Row, New> {
  private readonly rows = new Map<string, Row>();
  private readonly make: (id: string, input: New) => Row;

  constructor(make: (id: string, input: New) => Row) {
    this.make = make;
  }

  async list(skip: number, take: number): Promise<Row[]> {
    return [...this.rows.values()].slice(skip, skip + take);
  }

  async find(id: string): Promise<Row | undefined> {
    return this.rows.get(id);
  }

  async add(input: New): Promise<Row> {
    const row = this.make(String(this.rows.size + 1), input);
    this.rows.set(row.id, row);
    return row;
  }

  async remove(id: string): Promise<boolean> {
    return this.rows.delete(id);
  }
}
