export interface Agent {
  id: number;
  name: string;
  phone: string | null;
}

export interface Photo {
  id: number;
  url: string;
  position: number;
}

export interface Listing {
  id: number;
  title: string;
  city: string;
  price: number;
  state: "offered" | "reserved" | "sold";
  createdAt: Date;
  agentId: number;
}

interface ListingRelations {
  agent: Agent;
  photos: Photo[];
}

type ListingSelect = { [K in keyof (Listing & ListingRelations)]?: boolean };
type ListingInclude = { [K in keyof ListingRelations]?: boolean };
type ListingWhere = {
  city?: string | undefined;
  title?: { contains: string };
  price?: { lte: number };
  agentId?: number;
};
type ListingArgs = { select?: ListingSelect; include?: ListingInclude };
type Chosen<Model, Choice> = {
  [K in keyof Choice & keyof Model as Choice[K] extends true ? K : never]: Model[K];
};
type Flatten<T> = { [K in keyof T]: T[K] } & {};

export type ListingGetPayload<A> = A extends { select: infer S }
  ? Chosen<Listing & ListingRelations, S>
  : A extends { include: infer I }
    ? Flatten<Listing & Chosen<ListingRelations, I>>
    : Listing;

interface ListingDelegate {
  findMany<
    T extends ListingArgs & {
      where?: ListingWhere;
      orderBy?: { [K in keyof Listing]?: "asc" | "desc" };
      take?: number;
    },
  >(args?: T): Promise<ListingGetPayload<T>[]>;
  findUnique<T extends ListingArgs & { where: { id: number } }>(
    args: T,
  ): Promise<ListingGetPayload<T> | null>;
  create<T extends ListingArgs & { data: Omit<Listing, "id" | "createdAt"> }>(
    args: T,
  ): Promise<ListingGetPayload<T>>;
  update<T extends ListingArgs & { where: { id: number }; data: Partial<Listing> }>(
    args: T,
  ): Promise<ListingGetPayload<T>>;
  count(args?: { where?: ListingWhere }): Promise<number>;
}

export interface PrismaClient {
  listing: ListingDelegate;
}

export class PrismaClientKnownRequestError extends Error {
  code: string;

  constructor(message: string, code: string) {
    super(message);
    this.code = code;
  }
}

export const prisma: PrismaClient = Object.create(null);
