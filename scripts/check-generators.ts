/**
 * Generates clients from the example's documents and from those of the golden applications, with generators that npm
 * does not bring: `npm run generators`. What is not installed is said and left out.
 *
 * - oapi-codegen, if there is Go: the client must compile.
 * - openapi-python-client, if there is Python 3: no warnings, except for content types that it does not know.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { globSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";

const root = resolve(import.meta.dirname, "..");
const folder = mkdtempSync(join(tmpdir(), "annex-generators-"));
const packageOfGo = "github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2";

interface Outcome {
  readonly generator: string;
  readonly documents: number;
  readonly problems: readonly string[];
}

function run(command: string, args: readonly string[], env: NodeJS.ProcessEnv = {}, cwd = folder) {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    cwd,
    encoding: "utf8",
    timeout: 10 * 60_000,
    env: { ...process.env, ...env },
  });
  return { isDone: status === 0 && !error, text: `${stdout ?? ""}${stderr ?? ""}` };
}

/** Each with a name of its own. */
function collectDocuments(): Map<string, string> {
  const specs = join(folder, "specs");
  execFileSync(
    process.execPath,
    [join(root, "src/cli/bin.ts"), "specs", "generate", "examples/todos/main.ts", "--out", specs],
    { cwd: root, stdio: "ignore" },
  );
  const made = globSync(join(specs, "*.json")).map(
    (file) => [`todos_${basename(file, ".json")}`, file] as const,
  );
  const golden = globSync("tests/golden/applications/*/openapi.json", { cwd: root }).map(
    (file) => [basename(dirname(file)).replaceAll("-", "_"), join(root, file)] as const,
  );
  return new Map([...made, ...golden]);
}

function checkGo(documents: ReadonlyMap<string, string>): Outcome | undefined {
  const env = { GOPATH: join(folder, "go"), GOFLAGS: "-mod=mod" };
  if (!run("go", ["install", packageOfGo], env).isDone) return undefined;
  const module = join(folder, "go-clients");
  mkdirSync(module);
  writeFileSync(join(module, "go.mod"), "module clients\n\ngo 1.22\n");
  const problems: string[] = [];
  for (const [name, file] of documents) {
    const target = join(module, name, "api.go");
    mkdirSync(dirname(target));
    const args = ["-generate", "types,client", "-package", name, "-o", target, file];
    const { isDone, text } = run(join(folder, "go/bin/oapi-codegen"), args, env);
    if (!isDone) problems.push(`${name}: ${text.trim()}`);
  }
  run("go", ["mod", "tidy"], env, module);
  const built = run("go", ["build", "./..."], env, module);
  if (!built.isDone) problems.push(...built.text.trim().split("\n"));
  return { generator: "oapi-codegen", documents: documents.size, problems };
}

function checkPython(documents: ReadonlyMap<string, string>): Outcome | undefined {
  const python = join(folder, "python");
  const bin = join(python, "bin");
  if (!run("python3", ["-m", "venv", python]).isDone) return undefined;
  if (!run(join(bin, "pip"), ["install", "-q", "openapi-python-client==0.29.1", "ruff"]).isDone)
    return undefined;
  const problems: string[] = [];
  for (const [name, file] of documents) {
    const args = [
      "generate",
      "--path",
      file,
      "--output-path",
      join(folder, "python-clients", name),
      "--meta",
      "none",
    ];
    mkdirSync(join(folder, "python-clients"), { recursive: true });
    const { isDone, text } = run(join(bin, "openapi-python-client"), args, {
      PATH: `${bin}:${process.env.PATH}`,
    });
    const warnings = text.split(/^WARNING /m).slice(1);
    const own = warnings.filter((warning) => !/Unsupported content[ _]type/.test(warning));
    if (!isDone || own.length > 0)
      problems.push(`${name}: ${(own[0] ?? text).split("\n").slice(0, 3).join(" ")}`);
  }
  return { generator: "openapi-python-client", documents: documents.size, problems };
}

try {
  const documents = collectDocuments();
  for (const check of [checkGo, checkPython]) {
    const outcome = check(documents);
    if (!outcome) {
      console.log(`${check.name}: left out, because it cannot be installed here.`);
      continue;
    }
    const { generator, problems } = outcome;
    console.log(`${generator}: ${outcome.documents} documents, ${problems.length} problems`);
    for (const problem of problems) console.log(`  ${problem}`);
    if (problems.length > 0) process.exitCode = 1;
  }
} finally {
  // Go makes its module cache read-only.
  run("chmod", ["-R", "u+w", folder]);
  rmSync(folder, { recursive: true, force: true });
}
