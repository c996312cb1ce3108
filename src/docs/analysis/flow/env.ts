import type { SourceFile } from "../source/source-file.ts";
import type { Binding, Env, Value } from "./value.ts";

let keys = 0;

/** The names that are visible somewhere in a file. */
export class Scope implements Env {
  readonly file: SourceFile;
  readonly parent: Env | undefined;
  /** Tells one instance of a scope from another; all functions of a module share theirs. */
  readonly key: number;
  private readonly bindings = new Map<string, Binding>();
  private readonly evaluating = new Set<string>();

  constructor(file: SourceFile, parent?: Env) {
    this.file = file;
    this.parent = parent;
    this.key = ++keys;
  }

  declare(name: string, value: Value | undefined, depth = 0, lazy?: () => Value): Binding {
    const binding: Binding = { value, depth, lazy };
    this.bindings.set(name, binding);
    return binding;
  }

  has(name: string): boolean {
    return this.bindings.has(name);
  }

  find(name: string): Binding | undefined {
    return this.bindings.get(name) ?? this.parent?.find(name);
  }

  /** `undefined` when nothing of that name is declared. */
  lookup(name: string): Value | undefined {
    const binding = this.bindings.get(name);
    if (binding === undefined) return this.parent?.lookup(name);
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
