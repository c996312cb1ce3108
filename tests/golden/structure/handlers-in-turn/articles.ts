export interface Draft {
  id: string;
  title: string;
  text: string;
}

export interface Article {
  id: string;
  title: string;
  author: string;
  publishedAt: Date;
}

export const drafts = new Map<string, Draft>();
export const articles: Article[] = [];

export function quotaOf(author: string): number {
  const today = new Date().toDateString();
  const published = articles.filter(
    (article) => article.author === author && article.publishedAt.toDateString() === today,
  );
  return 10 - published.length;
}
