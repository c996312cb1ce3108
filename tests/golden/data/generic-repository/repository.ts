import { ApiError } from "../../../../src/index.ts";

export interface Entity {
  id: string;
  created: Date;
}

export interface Page<T> {
  items: T[];
  total: number;
}

export class Repository<T extends Entity> {
  private readonly rows: T[] = [];

  async find(id: string): Promise<T | undefined> {
    return this.rows.find((row) => row.id === id);
  }

  async get(id: string): Promise<T> {
    const row = await this.find(id);
    if (row === undefined) throw new ApiError(404, "There is none.");
    return row;
  }

  async page(): Promise<Page<T>> {
    return { items: this.rows, total: this.rows.length };
  }

  async insert(row: Omit<T, keyof Entity>): Promise<T> {
    return { ...row, id: "1", created: new Date() } as T;
  }
}
