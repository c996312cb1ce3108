/**
 * What a change of an option at run time does to the data, for the confirmation on the Config page. It is plain data,
 * because the page applies it to each value that a user enters.
 */
export type OptionEffect =
  /** Data is stored for this long. A lower value deletes what is older. `when`: such as "within the hour". */
  | { readonly kind: "age"; readonly data: string; readonly when: string }
  /** The maximum size of a store, in megabytes. A lower value deletes the oldest data. */
  | { readonly kind: "size"; readonly data: string; readonly store: string; readonly when: string }
  /** `loses`: whether turning it off loses data. */
  | { readonly kind: "switch"; readonly on: string; readonly off: string; readonly loses?: boolean }
  /** A sentence for each value. `leaving`: an additional sentence when a value is replaced. */
  | {
      readonly kind: "choice";
      readonly values: Readonly<Record<string, string>>;
      readonly leaving?: Readonly<Record<string, string>>;
    }
  /** A share from 0 to 1. `%s` in `some` becomes the share in percent. `all`: the sentence for 1. */
  | { readonly kind: "share"; readonly all: string; readonly some: string }
  /** Paths. `%s` in `some` becomes "this path" or "these 3 paths". */
  | { readonly kind: "paths"; readonly none: string; readonly some: string };
