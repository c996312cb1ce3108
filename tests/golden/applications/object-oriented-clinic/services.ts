import { randomUUID } from "node:crypto";
import { ApiError } from "../../../../src/index.ts";
import { Appointment, type Vet } from "./domain.ts";

export interface Repository<T> {
  all(): Promise<T[]>;
  find(id: string): Promise<T | undefined>;
  save(id: string, value: T): Promise<void>;
}

export type AppointmentRequest = { pet: string; vetId: string; startsAt: string; isEmergency: boolean };

class SlotTaken extends ApiError {
  constructor() {
    super(409, "The vet has another patient at this time.");
  }
}

export class AppointmentService {
  private readonly appointments: Repository<Appointment>;
  private readonly vets: Repository<Vet>;

  constructor(appointments: Repository<Appointment>, vets: Repository<Vet>) {
    this.appointments = appointments;
    this.vets = vets;
  }

  async list(limit: number): Promise<Appointment[]> {
    return (await this.appointments.all()).slice(0, limit);
  }

  async book({ pet, vetId, startsAt, isEmergency }: AppointmentRequest): Promise<Appointment> {
    if (!(await this.vets.find(vetId))) throw new ApiError(404, "There is no such vet.");
    const time = new Date(startsAt);
    const others = await this.appointments.all();
    if (!isEmergency && others.some((other) => other.isAt(vetId, time))) throw new SlotTaken();
    const id = randomUUID();
    const appointment = new Appointment({ id, pet, vetId, startsAt: time, state: "booked" });
    await this.appointments.save(id, appointment);
    return appointment;
  }

  async cancel(id: string): Promise<void> {
    const appointment = await this.appointments.find(id);
    if (!appointment) throw new ApiError(404, "There is no such appointment.");
    await this.appointments.save(id, appointment.cancelled());
  }
}
