export interface Course {
  id: string;
  title: string;
  term: "spring" | "autumn";
  credits: number;
}

export interface Lesson {
  id: string;
  courseId: string;
  topic: string;
  startsAt: Date;
}

export interface Student {
  id: string;
  name: string;
  cohort: string;
}

export interface Enrolment {
  courseId: string;
  studentId: string;
  enrolledAt: Date;
}

export const courses: Course[] = [];
export const lessons: Lesson[] = [];
export const students: Student[] = [];
export const enrolments: Enrolment[] = [];
