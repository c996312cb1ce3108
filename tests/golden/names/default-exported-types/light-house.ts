export default class {
  height = 12;
}
