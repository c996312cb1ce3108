// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";
import type { Appointment, Vet } from "./domain.ts";
import { type AppointmentRequest, AppointmentService, type Repository } from "./services.ts";

class InMemory<T> implements Repository<T> {
  private readonly values = new Map<string, T>();
  all = async () => [...this.values.values()];
  find = async (id: string) => this.values.get(id);
  save = async (id: string, value: T) => void this.values.set(id, value);
}

abstract class Controller {
  protected count(e: RequestEvent, name: string, fallback: number, most: number): number {
    const value = Number(e.query(name) ?? fallback);
    if (!Number.isInteger(value) || value < 1 || value > most) throw e.error(400, `${name} is out of range.`);
    return value;
  }
}

class VetController extends Controller {
  private readonly vets: Repository<Vet>;

  constructor(vets: Repository<Vet>) {
    super();
    this.vets = vets;
  }

  /** Lists the vets. */
  async list(e: RequestEvent) {
    const species = e.query("species");
    const vets = (await this.vets.all()).filter(
      (vet) => species === undefined || vet.species.includes(species),
    );
    return e.json(200, vets.slice(0, this.count(e, "most", 10, 50)));
  }
}

class AppointmentController extends Controller {
  private readonly appointments: AppointmentService;

  constructor(appointments: AppointmentService) {
    super();
    this.appointments = appointments;
  }

  /** Lists appointments. */
  async list(e: RequestEvent) {
    return e.json(200, await this.appointments.list(this.count(e, "limit", 50, 200)));
  }

  /** Books an appointment. */
  async book(e: RequestEvent) {
    return e.json(201, await this.appointments.book(await e.bindBody<AppointmentRequest>()));
  }

  /** Cancels an appointment. */
  cancel = async (e: RequestEvent<"id">) => {
    await this.appointments.cancel(e.pathValue("id"));
    return e.noContent();
  };
}

export function routes(router: VersionedRouter): void {
  const vetTable = new InMemory<Vet>();
  const vets = new VetController(vetTable);
  const appointments = new AppointmentController(
    new AppointmentService(new InMemory<Appointment>(), vetTable),
  );
  router.get("/vets", vets.list.bind(vets));
  router.get("/appointments", appointments.list.bind(appointments));
  router.post("/appointments", appointments.book.bind(appointments));
  router.delete("/appointments/{id}", appointments.cancel);
}
