import type { SourceFile } from "../../source/source-file.ts";
import { conceal } from "./secrets.ts";
import { type Binding, creationEpoch, type Env, type Holder, type Value } from "./value.ts";

let keys = 0;

/** The names in scope at a location in a file. */
export class Scope implements Env {
  readonly file: SourceFile;
  readonly parent: Env | undefined;
  readonly createdIn = creationEpoch.now;
  private readonly key = ++keys;
  private changes = 0;
  private readonly bindings = new Map<string, Binding>();
  private readonly evaluating = new Set<string>();

  constructor(file: SourceFile, parent?: Env) {
    this.file = file;
    this.parent = parent;
  }

  /** All functions of a module share the module's stamp. */
  get stamp(): string {
    return this.parent ? `${this.key}.${this.changes} ${this.parent.stamp}` : String(this.key);
  }

  declare(name: string, value: Value | undefined, holder?: Holder, lazy?: () => Value): Binding {
    const depth = holder ? holder.conditions + holder.uncertain : 0;
    const binding: Binding = { value, depth, holder, lazy };
    this.bindings.set(name, binding);
    return binding;
  }

  assign(name: string, value: Value): void {
    const binding = this.bindings.get(name);
    if (!binding) {
      this.parent?.assign(name, value);
      return;
    }
    binding.argument = undefined;
    binding.value = value;
    this.changes++;
  }

  has(name: string): boolean {
    return this.bindings.has(name);
  }

  find(name: string): Binding | undefined {
    return this.bindings.get(name) ?? this.parent?.find(name);
  }

  bornOf(name: string): number | undefined {
    return this.bindings.has(name) ? this.createdIn : this.parent?.bornOf(name);
  }

  lookup(name: string): Value | undefined {
    const binding = this.bindings.get(name);
    if (binding === undefined) return this.parent?.lookup(name);
    return conceal(name, this.valueOf(name, binding));
  }

  private valueOf(name: string, binding: Binding): Value {
    if (binding.value !== undefined) return binding.value;
    if (binding.lazy === undefined || this.evaluating.has(name)) return { kind: "opaque" };
    this.evaluating.add(name);
    try {
      binding.value = binding.lazy();
      return binding.value;
    } finally {
      this.evaluating.delete(name);
    }
  }
}
