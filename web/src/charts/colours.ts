import { theme } from "../state/theme.ts";

/** The colours of lines and areas; the style sheet knows each for dark and for light. */
export type Colour = "blue" | "teal" | "violet" | "amber" | "red" | "grey" | "pink";

let probe: HTMLElement | undefined;

/** As a canvas takes it. Reading it makes the reader follow the theme. */
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
