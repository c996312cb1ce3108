import { ApiError } from "../../../../src/index.ts";

export interface Loan {
  id: string;
  bookId: string;
  memberId: string;
  lentAt: Date;
  dueAt: Date;
  returnedAt: Date | null;
}

export interface LoanRepository {
  findById(id: string): Promise<Loan | undefined>;
  findOpenByBook(bookId: string): Promise<Loan | undefined>;
  findOpenByMember(memberId: string): Promise<Loan[]>;
  save(loan: Loan): Promise<void>;
}

export interface Clock {
  now(): Date;
}

export class LoanNotFound extends ApiError {
  constructor(id: string) {
    super(404, `There is no loan ${id}.`);
  }
}

export class BookAlreadyLent extends ApiError {
  constructor() {
    super(409, "This book is lent already.");
  }
}

export class TooManyLoans extends ApiError {
  constructor(limit: number) {
    super(422, `A member may have ${limit} loans at once.`);
  }
}

const DAY = 24 * 60 * 60 * 1000;
const LOANS_PER_MEMBER = 5;

export class LoanService {
  readonly #loans: LoanRepository;
  readonly #clock: Clock;

  constructor(loans: LoanRepository, clock: Clock) {
    this.#loans = loans;
    this.#clock = clock;
  }

  async lend(bookId: string, memberId: string): Promise<Loan> {
    if (await this.#loans.findOpenByBook(bookId)) throw new BookAlreadyLent();
    const open = await this.#loans.findOpenByMember(memberId);
    if (open.length >= LOANS_PER_MEMBER) throw new TooManyLoans(LOANS_PER_MEMBER);
    const lentAt = this.#clock.now();
    const loan: Loan = {
      id: `${bookId}-${lentAt.getTime()}`,
      bookId,
      memberId,
      lentAt,
      dueAt: new Date(lentAt.getTime() + 28 * DAY),
      returnedAt: null,
    };
    await this.#loans.save(loan);
    return loan;
  }

  async giveBack(id: string): Promise<Loan> {
    const loan = await this.#loans.findById(id);
    if (!loan) throw new LoanNotFound(id);
    if (loan.returnedAt) throw new ApiError(409, "This book is back already.");
    const returned = { ...loan, returnedAt: this.#clock.now() };
    await this.#loans.save(returned);
    return returned;
  }

  async openLoans(memberId: string) {
    const now = this.#clock.now();
    const loans = await this.#loans.findOpenByMember(memberId);
    return loans.map((loan) => ({
      id: loan.id,
      bookId: loan.bookId,
      dueAt: loan.dueAt,
      overdue: loan.dueAt < now,
      daysLeft: Math.ceil((loan.dueAt.getTime() - now.getTime()) / DAY),
    }));
  }
}

export class MemoryLoans implements LoanRepository {
  readonly #loans = new Map<string, Loan>();

  async findById(id: string): Promise<Loan | undefined> {
    return this.#loans.get(id);
  }

  async findOpenByBook(bookId: string): Promise<Loan | undefined> {
    return [...this.#loans.values()].find((loan) => loan.bookId === bookId && !loan.returnedAt);
  }

  async findOpenByMember(memberId: string): Promise<Loan[]> {
    return [...this.#loans.values()].filter((loan) => loan.memberId === memberId && !loan.returnedAt);
  }

  async save(loan: Loan): Promise<void> {
    this.#loans.set(loan.id, loan);
  }
}
