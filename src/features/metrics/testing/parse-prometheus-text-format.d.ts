declare module "parse-prometheus-text-format" {
  interface ParsedFamily {
    readonly name: string;
    readonly help: string;
    readonly type: string;
    readonly metrics: readonly { readonly labels?: Record<string, string>; readonly value?: string }[];
  }
  export default function parse(text: string): ParsedFamily[];
}
