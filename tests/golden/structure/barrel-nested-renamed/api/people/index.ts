export { default as enrolStudent } from "./enrol.ts";
export * from "./students.ts";
