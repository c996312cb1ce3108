export default interface Person {
  name: string;
}
