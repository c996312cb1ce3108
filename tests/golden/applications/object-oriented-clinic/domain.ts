import { ApiError } from "../../../../src/index.ts";

export interface AppointmentView {
  id: string;
  pet: string;
  vetId: string;
  startsAt: Date;
  state: "booked" | "cancelled";
}

export class Appointment {
  readonly #view: AppointmentView;

  constructor(view: AppointmentView) {
    this.#view = view;
  }

  isAt(vetId: string, time: Date): boolean {
    return this.#view.vetId === vetId && this.#view.startsAt.getTime() === time.getTime();
  }

  cancelled(): Appointment {
    if (this.#view.startsAt <= new Date()) throw new ApiError(410, "It is too late to cancel.");
    return new Appointment({ ...this.#view, state: "cancelled" });
  }

  toJSON(): AppointmentView {
    return this.#view;
  }
}

export type Vet = { id: string; name: string; species: string[] };
