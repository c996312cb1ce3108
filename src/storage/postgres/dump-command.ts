/** Parameters of an address that mean the same to libpq. Others would make it refuse the address. */
const shared = new Set(["host", "port", "user", "sslmode", "sslrootcert", "sslcert", "sslkey", "options"]);

/** Returns the command that backs up a database. It does not contain the password. */
export function describeDump(url: string, file: string, withoutTables: readonly string[] = []): string {
  const excluded = withoutTables.map((pattern) => `--exclude-table-data=${quote(pattern)}`);
  return ["pg_dump --format=custom", ...excluded, `--file=${quote(file)}`, quote(withoutPassword(url))].join(
    " ",
  );
}

/** Returns the command that restores such a backup. */
export function describeDumpRestore(url: string, file: string): string {
  const options = "--clean --if-exists --no-owner --single-transaction";
  return `pg_restore ${options} --dbname=${quote(withoutPassword(url))} ${quote(file)}`;
}

function withoutPassword(url: string): string {
  // Addresses of sockets have no host, which is not a valid URL: postgres://user:password@/name?host=/run/postgresql
  const [address, hasHost] = URL.canParse(url) ? [url, true] : [url.replace("@/", "@socket/"), false];
  if (!URL.canParse(address)) return "postgresql://user@host:5432/name";
  const { username, host, pathname, searchParams } = new URL(address);
  const kept = [...searchParams]
    .filter(([name]) => shared.has(name))
    // Only the driver of Node knows this mode. It encrypts without checking the certificate, like "require".
    .map(([name, value]) => [name, name === "sslmode" && value === "no-verify" ? "require" : value]);
  const query = new URLSearchParams(kept as [string, string][]).toString().replaceAll("+", "%20");
  return `postgresql://${username && `${username}@`}${hasHost ? host : ""}${pathname}${query && `?${query}`}`;
}

/** Quotes for a POSIX shell. */
function quote(text: string): string {
  return /^[\w./:@-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
