import { theme } from "../state/theme.ts";

/** Colours of lines and areas. The style sheet defines each for the dark and the light theme. */
export type Colour = "blue" | "teal" | "violet" | "amber" | "red" | "grey" | "pink";

let probe: HTMLElement | undefined;

/** Returns the colour in a form that a canvas accepts. Subscribes the caller to theme changes. */
export function colourOf(name: Colour | "quiet-ink" | "grid", opacity = 1): string {
  void theme.value;
  if (!probe) {
    probe = document.createElement("span");
    document.body.append(probe);
  }
  const token = name === "quiet-ink" ? "--quiet" : name === "grid" ? "--line" : `--chart-${name}`;
  probe.style.color = `var(${token})`;
  const [red, green, blue] = getComputedStyle(probe).color.match(/[\d.]+/g) ?? [];
  return `rgb(${red} ${green} ${blue} / ${opacity})`;
}
