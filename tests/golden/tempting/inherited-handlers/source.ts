// API_SOURCE
import {
  requireAuth,
  ApiError,
  type RequestEvent,
  type VersionedRouter,
  type Handler,
} from "../../../../src/index.ts";
abstract class Base<T extends { id: string }> {
  protected abstract readonly name: string;
  protected abstract find(id: string): Promise<T | undefined>;
  get = async (e: RequestEvent) => {
    const found = await this.find(e.pathValue("id"));
    if (!found) throw e.error(404, `No ${this.name}.`);
    return e.json(200, found);
  };
  async list(e: RequestEvent): Promise<unknown> {
    const page = Number(e.query("page") ?? 1);
    return e.json(200, { page, items: [] as T[] });
  }
  protected guard(e: RequestEvent) {
    if (!e.header("X-Tenant")) throw e.error(400, "tenant");
  }
}
interface Todo {
  id: string;
  title: string;
}
class Todos extends Base<Todo> {
  protected readonly name = "todo";
  static create() {
    return new Todos();
  }
  static async ping(e: RequestEvent) {
    return e.json(200, { pong: Todos.version });
  }
  static version = "1";
  protected async find(id: string): Promise<Todo | undefined> {
    if (id === "x") throw new ApiError(410, "Gone.");
    return undefined;
  }
  override async list(e: RequestEvent) {
    this.guard(e);
    const q = e.query("q");
    if (q) return e.json(200, { q });
    return super.list(e);
  }
}
class SubTodos extends Todos {
  protected override guard(e: RequestEvent) {
    super.guard(e);
    if (!e.query("sub")) throw e.error(422, "sub");
  }
  static override async ping(e: RequestEvent) {
    return super.ping(e);
  }
}
export function routes(r: VersionedRouter) {
  const t = Todos.create();
  r.get("/todos/{id}", t.get);
  r.get("/todos", (e) => t.list(e));
  r.get("/ping", Todos.ping);
  const s = new SubTodos();
  r.get("/sub", s.list.bind(s));
  r.get("/sping", SubTodos.ping);
  r.get("/sub/{id}", s.get);
}
