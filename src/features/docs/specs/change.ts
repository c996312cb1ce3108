/** A difference between two documents, and whether it can break clients of the old one. */
export interface SpecChange {
  readonly isBreaking: boolean;
  readonly message: string;
}

export const breaking = (message: string): SpecChange => ({ isBreaking: true, message });
export const harmless = (message: string): SpecChange => ({ isBreaking: false, message });
export const breakingFirst = (one: SpecChange, other: SpecChange): number =>
  Number(other.isBreaking) - Number(one.isBreaking);
