import {
  type ColumnType,
  DummyDriver,
  type Generated,
  Kysely,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from "kysely";

interface AuthorTable {
  id: Generated<number>;
  name: string;
  email: string;
}

interface CategoryTable {
  id: Generated<number>;
  name: string;
}

interface PostTable {
  id: Generated<number>;
  slug: string;
  title: string;
  body: string;
  state: "draft" | "published";
  author_id: number;
  category_id: number | null;
  created_at: ColumnType<Date, string | undefined, never>;
  published_at: Date | null;
}

interface CommentTable {
  id: Generated<number>;
  post_id: number;
  name: string;
  text: string;
  created_at: ColumnType<Date, string | undefined, never>;
}

export interface BlogDatabase {
  author: AuthorTable;
  category: CategoryTable;
  post: PostTable;
  comment: CommentTable;
}

export const db = new Kysely<BlogDatabase>({
  dialect: {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (database) => new SqliteIntrospector(database),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  },
});
