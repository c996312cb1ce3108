export interface Contract {
  id: string;
  version: 1 | 2;
}
export declare function contractOf(id: string): Contract;
