export default class Ship {
  name = "Ada";
}
