/** What the declarations of Annex use of Kysely, for TypeScript before 5.4: queries can be written, but are not checked. */
// biome-ignore-all lint/suspicious/noExplicitAny: the point of this file
// biome-ignore-all lint/correctness/noUnusedVariables: the parameters are Kysely's

export type ColumnType<Selected, Inserted = Selected, Updated = Selected> = any;
export type Generated<Selected> = any;
export type GeneratedAlways<Selected> = any;
export type Selectable<Table> = any;
export type Insertable<Table> = any;
export type Updateable<Table> = any;
export type SqlBool = boolean | 0 | 1;
export type Kysely<Tables> = any;
export type Transaction<Tables> = any;
export type ColumnDataType = any;
export type Expression<Value> = any;
export type RawBuilder<Value> = any;
export type SelectQueryBuilder<Tables, Name, Output> = any;
export declare const sql: {
  <Value = any>(text: TemplateStringsArray, ...values: unknown[]): any;
  [member: string]: any;
};
