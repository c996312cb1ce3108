export interface Cat {
  id: string;
  name: string;
  indoor: boolean;
}

export interface Dog {
  id: string;
  name: string;
  weight: number;
  breed: string | null;
}

export interface Tables {
  cats: Cat;
  dogs: Dog;
}

const data: { [Name in keyof Tables]: Tables[Name][] } = { cats: [], dogs: [] };

export function rows<Name extends keyof Tables>(table: Name): Tables[Name][] {
  return data[table];
}
