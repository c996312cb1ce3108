export interface Shift {
  id: string;
  week: number;
  day: string;
  hours: number;
  notes: string | null;
}

export const shifts = new Map<string, Shift>();

let lastId = 0;

export function nextShiftId(): string {
  lastId += 1;
  return `shift-${lastId}`;
}
