// API_SOURCE
import {
  requireAuth,
  ApiError,
  type RequestEvent,
  type VersionedRouter,
  type Handler,
} from "../../../../src/index.ts";
class Params {
  page: number;
  q: string | undefined;
  sort = "id";
  constructor(e: RequestEvent) {
    this.page = Number(e.query("page") ?? 1);
    this.q = e.query("q");
    if (!e.header("X-Must")) throw e.error(400, "must");
  }
}
class Dto {
  static from(e: RequestEvent) {
    return new Dto(e.query("viaStatic"));
  }
  v: string | undefined;
  constructor(v?: string) {
    this.v = v;
  }
}
class Base2 {
  tenant: string;
  constructor(e: RequestEvent) {
    this.tenant = e.header("X-Tenant") ?? "none";
  }
}
class Sub2 extends Base2 {
  lang: string;
  constructor(e: RequestEvent) {
    super(e);
    this.lang = e.query("lang") ?? "en";
  }
}
class Field {
  e: RequestEvent;
  constructor(e: RequestEvent) {
    this.e = e;
  }
  private readonly cache = new Map<string, string>();
  #read(n: string) {
    return this.e.query(n);
  }
  get page() {
    return this.#read("gpage");
  }
  static async handle(e: RequestEvent) {
    return new Field(e).#respond();
  }
  async #respond() {
    return this.e.json(200, { p: this.page });
  }
}
class Body3 {
  data!: Promise<{ b: number }>;
  constructor(e: RequestEvent) {
    this.data = e.bindBody<{ b: number }>();
  }
}
export function routes(r: VersionedRouter) {
  r.get("/a", (e) => {
    const p = new Params(e);
    return e.json(200, p);
  });
  r.get("/b", (e) => e.json(200, Dto.from(e)));
  r.get("/c", (e) => {
    const s = new Sub2(e);
    return e.json(200, { t: s.tenant, l: s.lang });
  });
  r.get("/d", Field.handle);
  r.get("/f", (e) => {
    const ctx = {
      get page() {
        return Number(e.query("page"));
      },
      set x(v: string) {},
    };
    return e.json(200, { p: ctx.page });
  });
  r.get("/g", (e) => {
    class Local {
      v = e.query("field");
      static s = e.query("static");
    }
    return e.json(200, { v: new Local().v });
  });
  r.post("/h", async (e) => e.json(200, await new Body3(e).data));
}
