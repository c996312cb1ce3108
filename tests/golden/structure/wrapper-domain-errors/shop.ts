import { OutOfStock, UnknownBasket, UnknownProduct } from "./errors.ts";

export interface Product {
  id: string;
  title: string;
  price: number;
  stock: number;
}

export interface Basket {
  id: string;
  closed: boolean;
  items: { productId: string; quantity: number }[];
}

const products = new Map<string, Product>();
const baskets = new Map<string, Basket>();

export function productById(id: string): Product {
  const product = products.get(id);
  if (!product) throw new UnknownProduct(id);
  return product;
}

export function basketById(id: string): Basket {
  const basket = baskets.get(id);
  if (!basket) throw new UnknownBasket(id);
  return basket;
}

export function addToBasket(basket: Basket, productId: string, quantity: number): Basket {
  const product = productById(productId);
  if (product.stock < quantity) throw new OutOfStock(product.stock);
  basket.items.push({ productId, quantity });
  return basket;
}
