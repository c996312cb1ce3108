// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

/** A thing that can be bought. */
interface Product {
  /**
   * What it is called.
   * @minLength 1
   * @maxLength 80
   * @example chair
   */
  name: string;
  /** @format email */
  contact: string;
  /** @pattern ^[A-Z]{3}$ */
  currency: string;
  /**
   * @integer
   * @minimum 0
   * @maximum 100
   * @default 10
   * @example 12
   */
  stock: number;
  /** @deprecated Use `name`. */
  title?: string;
  /**
   * @readonly
   * @title The identifier
   */
  id: string;
  /** @multipleOf 0.05 */
  price: number;
  /** @minItems 1 */
  tags: string[];
  /** @default [] */
  pictures: URL[];
  /** @default draft */
  state: "draft" | "on sale";
  /** @default null */
  note: string | null;
  /** @see {@link Maker}, which tells more. */
  maker: Maker;
  /**
   * Who else has a part in it, as a form has it:
   * ```html
   * <input
   *   @change="save"
   * >
   * ```
   */
  partner: Maker | null;
  /**
   * @example
   * ```json
   * { "width": 40, "height": 90 }
   * ```
   */
  measures: Record<string, number>;
}

interface Maker {
  name: string;
  /** @writeonly */
  password?: string;
}

declare function find(): Product;

function getProduct(e: RequestEvent) {
  return e.json(200, find());
}

export function routes(router: VersionedRouter): void {
  router.get("/product", getProduct);
}
