export type Primitive = string | number | boolean | null | undefined;
