import { z } from "zod";

export const Person = z.object({
  id: z.uuid(),
  name: z.string(),
  email: z.email(),
});

export const NewPerson = Person.omit({ id: true }).extend({ password: z.string().min(12) });

export const PersonChange = NewPerson.pick({ name: true, email: true }).partial();
