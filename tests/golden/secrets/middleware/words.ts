export const words = {
  front: "canary-front",
  back: "canary-back",
  groups: ["canary-group-a", "canary-group-b"],
};
