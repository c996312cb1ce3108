export { list as listCourses, show as showCourse } from "./courses.ts";
export { list as listLessons } from "./lessons.ts";
