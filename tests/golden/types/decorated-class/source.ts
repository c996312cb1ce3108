// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

function Length(_min: number, _max: number) {
  return (_value: undefined, _context: ClassFieldDecoratorContext) => {};
}

class CreateCat {
  @Length(1, 20)
  name!: string;

  age?: number;
}

export async function createCat(e: RequestEvent) {
  const { name, age = 0 } = await e.bindBody<CreateCat>();
  return e.json(201, { name, age });
}

export function routes(router: VersionedRouter): void {
  router.post("/cats", createCat);
}
