import type { ChildProcess } from "node:child_process";
import { existsSync } from "node:fs";
import type { Node } from "typescript/unstable/ast";
import { API, type Project, type Snapshot } from "typescript/unstable/sync";
import { isInPackage, nativePath } from "../../../../lib/paths/paths.ts";
import { createEngine } from "./engine.ts";
import type { TypeEngine, TypeEngineOptions, TypeQuery } from "./query.ts";
import type { Compiler, Members, Shape, TypeRef } from "./shape.ts";
import { ProjectView } from "./ts7-project.ts";

/**
 * Opens TypeScript 7 for a project. Every question is a round trip to the compiler's process, which blocks the thread:
 * if the compiler hangs, only the owner of the thread can stop it.
 */
export function openTs7(options: Ts7Options): TypeEngine {
  return createEngine(new Ts7Compiler(options), options);
}

export interface Ts7Options extends TypeEngineOptions {
  /** Called with the id of the compiler's process, before it is asked anything. */
  readonly onSpawn?: (pid: number | undefined) => void;
}

type UpdateSnapshotParams = NonNullable<Parameters<API["updateSnapshot"]>[0]>;

/** What the API does not show of itself. */
interface Spawned {
  readonly client?: { readonly channel?: { readonly child?: ChildProcess } };
}

/** The projects of one snapshot. A type is an object of exactly one of them. */
class Ts7Compiler implements Compiler {
  private readonly api: API;
  private readonly options: TypeEngineOptions;
  private snapshot: Snapshot;
  private views = new Map<Project, ProjectView>();
  private viewOfFile = new Map<string, ProjectView | undefined>();
  private viewOfType = new WeakMap<object, ProjectView>();
  private readonly opened = new Set<string>();
  private readonly asked = new Set<string>();

  constructor(options: Ts7Options) {
    this.options = options;
    this.api = new API({ cwd: options.root });
    options.onSpawn?.((this.api as unknown as Spawned).client?.channel?.child?.pid);
    try {
      const { tsconfig, files } = options;
      this.snapshot = this.api.updateSnapshot(tsconfig ? { openProjects: [tsconfig] } : {});
      this.open(files);
    } catch (error) {
      this.api.close();
      throw error;
    }
  }

  open(files: readonly string[]): boolean {
    const others = [...new Set(files)].filter((file) => !this.asked.has(file));
    for (const file of others) this.asked.add(file);
    const isNew = others.length > 0 && this.openOthers(others);
    if (isNew) this.forgetViews();
    return isNew;
  }

  typesAt(queries: readonly TypeQuery[]): readonly (TypeRef | undefined)[] {
    const found = queries.map((query) => {
      const view = this.viewOf(query.file);
      const node = view?.findNode(query);
      return view && node ? { view, node } : undefined;
    });
    const types = new Map<Node, TypeRef | undefined>();
    for (const view of new Set(found.flatMap((place) => place?.view ?? []))) {
      const nodes = found.flatMap((place) => (place?.view === view ? place.node : []));
      view.typesAt(nodes).forEach((type, index) => {
        types.set(nodes[index]!, type);
      });
    }
    return found.map((place) => place && types.get(place.node));
  }

  shapeOf = (type: TypeRef): Shape => this.ownerOf(type).shapeOf(type as never);
  membersOf = (type: TypeRef): Members => this.ownerOf(type).membersOf(type as never);
  propertyOf = (type: TypeRef, name: string) => this.ownerOf(type).propertyOf(type as never, name);
  returnsOf = (type: TypeRef): readonly TypeRef[] => this.ownerOf(type).returnsOf(type as never);
  seesNull = (type: TypeRef): boolean => this.ownerOf(type).seesNull;
  isConfigured = (type: TypeRef): boolean => this.ownerOf(type).isConfigured;
  withoutNullish = (type: TypeRef): TypeRef => this.ownerOf(type).withoutNullish(type as never);

  ownFiles(): readonly string[] {
    return this.fileNames().filter((file) => !isInPackage(file));
  }

  isAlive(): boolean {
    try {
      // Any call that reaches the compiler.
      const [project] = this.snapshot.getProjects();
      if (project) project.checker.getStringType();
      else this.api.updateSnapshot();
      return true;
    } catch {
      return false;
    }
  }

  /** The compiler does not read a file that was opened separately from disk again until it is closed. */
  refresh(changed: readonly string[]): void {
    const closeFiles = changed.filter((file) => this.opened.delete(file));
    this.update({ closeFiles, fileChanges: this.sortChanges(changed) });
    this.openOthers(changed.filter((file) => existsSync(file)));
    this.asked.clear();
    this.forgetViews();
  }

  private forgetViews(): void {
    this.views = new Map();
    this.viewOfFile = new Map();
    this.viewOfType = new WeakMap();
  }

  close(): void {
    const child = (this.api as unknown as Spawned).client?.channel?.child;
    // This thread goes on until the process has ended, or nothing would collect its exit status.
    child?.ref();
    // Asked to end, the compiler says "context canceled" on our standard error now and then.
    child?.kill("SIGKILL");
    try {
      this.api.close();
    } catch {
      // It says goodbye to the compiler, which fails when that is gone already.
    }
  }

  /** Opens the files that are in no project that is open: with the project they belong to, or else for themselves. */
  private openOthers(files: readonly string[]): boolean {
    let others = this.unknownOf(files);
    if (others.length === 0) return false;
    // The project of the first usually has all of them.
    while (others[0] !== undefined && this.openProjectsOf([others[0]]))
      others = this.unknownOf(others.slice(1));
    this.openProjectsOf(others);
    return true;
  }

  /** False when none of them belongs to a project: they are open for themselves then. */
  private openProjectsOf(files: readonly string[]): boolean {
    const unopened = files.filter((file) => !this.opened.has(file));
    if (unopened.length > 0) this.update({ openFiles: unopened });
    for (const file of unopened) this.opened.add(file);
    const configs = new Map(
      files.map((file) => [file, this.snapshot.getDefaultProjectForFile(file)?.configFileName ?? ""]),
    );
    const ofProjects = files.filter((file) => existsSync(configs.get(file)!));
    if (ofProjects.length === 0) return false;
    // A project that is only there for a file that is open never hears that another of its files has changed.
    const openProjects = [...new Set(ofProjects.map((file) => configs.get(file)!))];
    this.update({ openProjects, closeFiles: ofProjects });
    for (const file of ofProjects) this.opened.delete(file);
    return true;
  }

  private unknownOf(files: readonly string[]): string[] {
    const known = new Set(this.fileNames());
    return files.filter((file) => !known.has(file));
  }

  private update(params: UpdateSnapshotParams): void {
    const old = this.snapshot;
    this.snapshot = this.api.updateSnapshot(params);
    old.dispose();
  }

  private fileNames(): readonly string[] {
    const names = this.snapshot.getProjects().flatMap(({ program }) => program.getSourceFileNames());
    return names.map((name) => nativePath(name));
  }

  /** A new file must be reported as created. If it is reported as changed, the compiler ignores it. */
  private sortChanges(files: readonly string[]) {
    const known = new Set(this.ownFiles());
    const kindOf = (file: string) => {
      if (!existsSync(file)) return "deleted";
      return known.has(file) ? "changed" : "created";
    };
    return Object.groupBy(files, kindOf);
  }

  private viewOf(file: string): ProjectView | undefined {
    if (!this.viewOfFile.has(file)) this.viewOfFile.set(file, this.findView(file));
    return this.viewOfFile.get(file);
  }

  private findView(file: string): ProjectView | undefined {
    const { tsconfig } = this.options;
    const projects = this.snapshot.getProjects();
    // Asked for the project of a file, the compiler sends the names of all its files.
    const own = projects.length === 1 ? projects[0] : tsconfig && this.snapshot.getProject(tsconfig);
    const hasFile = (project: Project) => project.program.getSourceFile(file) !== undefined;
    const project =
      own && hasFile(own) ? own : (this.snapshot.getDefaultProjectForFile(file) ?? projects.find(hasFile));
    if (!project) return undefined;
    const known = this.views.get(project);
    if (known) return known;
    const view: ProjectView = new ProjectView(project, (type) => this.viewOfType.set(type, view));
    this.views.set(project, view);
    return view;
  }

  private ownerOf(type: TypeRef): ProjectView {
    const view = this.viewOfType.get(type);
    if (!view) throw new Error("This type belongs to an earlier state of the compiler.");
    return view;
  }
}
