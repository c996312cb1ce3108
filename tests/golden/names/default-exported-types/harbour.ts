export default interface Harbour {
  berths: number;
}
