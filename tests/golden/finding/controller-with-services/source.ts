// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";
import { CatService, type CatStore } from "./service.ts";

abstract class Controller {
  protected idOf(e: RequestEvent): string {
    return e.pathValue("id");
  }

  protected ok<T>(e: RequestEvent, data: T) {
    return e.json(200, data);
  }
}

class CatController extends Controller {
  private readonly cats: CatService;

  constructor(cats: CatService) {
    super();
    this.cats = cats;
  }

  // API_DESC Tells one cat.
  async get(e: RequestEvent) {
    return this.ok(e, await this.cats.get(this.idOf(e)));
  }

  // API_DESC Lists cats.
  list = async (e: RequestEvent) => this.ok(e, await this.cats.list());

  mount(router: VersionedRouter): void {
    router.get("/cats", this.list);
    router.get("/cats/{id}", this.get.bind(this));
  }
}

const store: CatStore = { find: async () => undefined, all: async () => [] };

export function routes(router: VersionedRouter): void {
  new CatController(new CatService(store)).mount(router);
}
