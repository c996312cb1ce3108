import { ApiError } from "../../../../src/index.ts";

export interface Cat {
  id: string;
  lives: number;
}

export interface CatStore {
  find(id: string): Promise<Cat | undefined>;
  all(): Promise<Cat[]>;
}

export class CatService {
  private readonly store: CatStore;

  constructor(store: CatStore) {
    this.store = store;
  }

  async get(id: string): Promise<Cat> {
    const cat = await this.store.find(id);
    if (!cat) throw new ApiError(404, "There is no such cat.");
    return cat;
  }

  list() {
    return this.store.all();
  }
}
