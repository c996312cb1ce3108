/**
 * Generates clients from the example's documents and from those of the golden applications, with generators that npm
 * does not bring: `npm run generators`. Generators that are not installed are named and skipped.
 *
 * - oapi-codegen, if there is Go: the client must compile.
 * - openapi-python-client, if there is Python 3: no warnings, except for content types that it does not know.
 * - openapi-generator, if there is Maven: the `typescript-fetch` client and the Java models must compile, and there are
 *   no warnings, except for names that it chooses itself.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { globSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";

const root = resolve(import.meta.dirname, "..");
const folder = mkdtempSync(join(tmpdir(), "annex-generators-"));
const packageOfGo = "github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2";
const packageOfJava = "org.openapitools:openapi-generator-cli:7.25.0";

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

/** TypeScript has an `Error` of its own, and alternatives of a union without a name get one. */
const namingWarning =
  /Error \(model name matches existing language type\)|Failed to get the schema name: null/;

let jarOfGenerator: string | undefined;

/** Maven downloads it once for both languages. */
function installGenerator(): string | undefined {
  const args = [
    "-q",
    "-B",
    "dependency:copy",
    `-Dartifact=${packageOfJava}`,
    "-DoutputDirectory=openapi-generator",
  ];
  if (!jarOfGenerator && run("mvn", args).isDone)
    [jarOfGenerator] = globSync(join(folder, "openapi-generator/*.jar"));
  return jarOfGenerator;
}

/** The problems of openapi-generator itself, for each document. */
function generateAll(
  jar: string,
  documents: ReadonlyMap<string, string>,
  argsFor: (name: string) => readonly string[],
): string[] {
  return [...documents].flatMap(([name, file]) => {
    const { isDone, text } = run("java", ["-jar", jar, "generate", "-i", file, ...argsFor(name)]);
    const warnings = text.split("\n").filter((line) => /\b(WARN|ERROR)\b/.test(line));
    const own = warnings.filter((line) => !namingWarning.test(line));
    return isDone && own.length === 0 ? [] : [`${name}: ${own[0] ?? text.trim()}`];
  });
}

function checkTypeScript(documents: ReadonlyMap<string, string>): Outcome | undefined {
  const jar = installGenerator();
  if (!jar) return undefined;
  const clients = join(folder, "typescript-clients");
  const problems = generateAll(jar, documents, (name) => [
    "-g",
    "typescript-fetch",
    "-o",
    join(clients, name),
  ]);
  const compilerOptions = {
    strict: true,
    noEmit: true,
    target: "es2022",
    module: "esnext",
    moduleResolution: "bundler",
    types: [],
  };
  writeFileSync(join(clients, "tsconfig.json"), JSON.stringify({ compilerOptions }));
  const compiled = run(join(root, "node_modules/.bin/tsc"), ["-p", clients]);
  if (!compiled.isDone) problems.push(...compiled.text.trim().split("\n"));
  return { generator: "openapi-generator typescript-fetch", documents: documents.size, problems };
}

/** In the versions that the generator writes into its own `pom.xml`. */
const javaDependencies = [
  "com.google.code.gson:gson:2.10.1",
  "com.squareup.okhttp3:okhttp:4.12.0",
  "io.gsonfire:gson-fire:1.9.0",
  "jakarta.annotation:jakarta.annotation-api:2.1.1",
  "org.openapitools:jackson-databind-nullable:0.2.11",
];

function renderPom(): string {
  const dependencies = javaDependencies.map((name) => {
    const [group, artifact, version] = name.split(":");
    return `<dependency><groupId>${group}</groupId><artifactId>${artifact}</artifactId><version>${version}</version></dependency>`;
  });
  return `<project>
<modelVersion>4.0.0</modelVersion><groupId>annex</groupId><artifactId>clients</artifactId><version>1</version>
<properties><maven.compiler.source>11</maven.compiler.source><maven.compiler.target>11</maven.compiler.target><project.build.sourceEncoding>UTF-8</project.build.sourceEncoding></properties>
<dependencies>${dependencies.join("")}</dependencies>
</project>
`;
}

/** One project for all documents, each in a package of its own. The supporting files are those that models import. */
function checkJava(documents: ReadonlyMap<string, string>): Outcome | undefined {
  const jar = installGenerator();
  if (!jar) return undefined;
  const clients = join(folder, "java-clients");
  const parts =
    "models,supportingFiles=JSON.java:ApiException.java:AbstractOpenApiSchema.java,modelDocs=false,modelTests=false";
  const problems = generateAll(jar, documents, (name) => [
    ...["-g", "java", "-o", clients, "--global-property", parts, "--additional-properties=useJakartaEe=true"],
    ...["--invoker-package", `clients.${name}`, "--model-package", `clients.${name}.model`],
  ]);
  writeFileSync(join(clients, "pom.xml"), renderPom());
  const compiled = run("mvn", ["-q", "-B", "compile"], {}, clients);
  if (!compiled.isDone) problems.push(...compiled.text.trim().split("\n").slice(0, 20));
  return { generator: "openapi-generator java", documents: documents.size, problems };
}

try {
  const documents = collectDocuments();
  for (const check of [checkGo, checkPython, checkTypeScript, checkJava]) {
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
