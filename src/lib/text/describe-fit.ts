/** How much of a period is stored: "11 of 30 days", "less than 1 of 168 hours". */
export function describeFit(fitting: number, wanted: number, unit: string): string {
  const whole = fitting < 1 ? "less than 1" : Math.floor(fitting).toLocaleString("en");
  return `${whole} of ${wanted.toLocaleString("en")} ${unit}${wanted === 1 ? "" : "s"}`;
}
