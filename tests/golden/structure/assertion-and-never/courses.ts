export interface Course {
  id: string;
  title: string;
  teacher: string;
  seats: number;
  reserved: number;
  closed: boolean;
}

export const courses: Course[] = [];

export function seatsLeft(course: Course): number {
  return course.seats - course.reserved;
}
