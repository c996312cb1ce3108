// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";
import { LoanService, MemoryLoans } from "./loans.ts";

interface LendRequest {
  bookId: string;
  memberId: string;
}

class LoanController {
  readonly #service: LoanService;

  constructor(service: LoanService) {
    this.#service = service;
  }

  /** Lends a book to a member for four weeks. */
  lend = async (e: RequestEvent) => {
    const { bookId, memberId } = await e.bindBody<LendRequest>();
    const loan = await this.#service.lend(bookId, memberId);
    e.setHeader("Location", `/loans/${loan.id}`);
    return e.json(201, loan);
  };

  giveBack = async (e: RequestEvent<"id">) => {
    const loan = await this.#service.giveBack(e.pathValue("id"));
    return e.json(200, loan);
  };

  listOpen = async (e: RequestEvent<"id">) => {
    const loans = await this.#service.openLoans(e.pathValue("id"));
    return e.json(200, { count: loans.length, loans });
  };
}

const controller = new LoanController(new LoanService(new MemoryLoans(), { now: () => new Date() }));

export function routes(router: VersionedRouter): void {
  router.post("/loans", controller.lend);
  router.post("/loans/{id}/return", controller.giveBack);
  router.get("/members/{id}/loans", controller.listOpen);
}
