import { UnknownArticle } from "./errors.ts";

export interface Article {
  sku: string;
  price: number;
  taxRate: number;
}

const articles: Article[] = [];

export function articleBySku(sku: string): Article {
  const article = articles.find((candidate) => candidate.sku === sku);
  if (article === undefined) throw new UnknownArticle(sku);
  return article;
}
