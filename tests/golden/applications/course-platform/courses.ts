import { ApiError } from "../../../../src/index.ts";

export interface VideoLesson {
  kind: "video";
  id: string;
  title: string;
  seconds: number;
  source: string;
}

export interface ArticleLesson {
  kind: "article";
  id: string;
  title: string;
  markdown: string;
}

export interface QuizLesson {
  kind: "quiz";
  id: string;
  title: string;
  questions: { prompt: string; options: string[] }[];
}

export type Lesson = VideoLesson | ArticleLesson | QuizLesson;

export interface CourseSummary {
  slug: string;
  title: string;
  level: "beginner" | "intermediate" | "advanced";
  price: number;
}

export interface Course extends CourseSummary {
  teacher: { name: string; about?: string };
  lessons: Lesson[];
}

export interface Progress {
  lessonId: string;
  completed: boolean;
  positionSeconds: number | null;
  updatedAt: Date;
}

export interface Certificate {
  course: string;
  issuedAt: Date;
  link: URL;
}

export class AlreadyEnrolled extends ApiError {
  constructor() {
    super(409, "You take this course already.");
  }
}

const courses = new Map<string, Course>();
const learners = new Map<string, { enrolled: Map<string, Progress[]>; certificates: Certificate[] }>();

export function search(matches: (course: Course) => boolean): CourseSummary[] {
  return [...courses.values()]
    .filter(matches)
    .map(({ slug, title, level, price }) => ({ slug, title, level, price }));
}

export function courseBySlug(slug: string): Course {
  const course = courses.get(slug);
  if (course === undefined) throw new ApiError(404, "There is no such course.");
  return course;
}

export function enrol(learner: string, course: Course): void {
  const record = learners.get(learner) ?? { enrolled: new Map<string, Progress[]>(), certificates: [] };
  if (record.enrolled.has(course.slug)) throw new AlreadyEnrolled();
  record.enrolled.set(course.slug, []);
  learners.set(learner, record);
}

export function progressOf(learner: string, slug: string): Progress[] | undefined {
  return learners.get(learner)?.enrolled.get(slug);
}

export function certificatesOf(learner: string): Certificate[] {
  return learners.get(learner)?.certificates ?? [];
}
