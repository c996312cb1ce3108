import { writeFileSync } from "node:fs";
import { checksumsFile, readChecksums, readMigrationFiles } from "../tests/support/migration-files.ts";

/** Adds the checksums of new migrations. Run it for a release: from then on, they must not change. */
const added = Object.fromEntries(readMigrationFiles().map(({ name, checksum }) => [name, checksum]));
writeFileSync(checksumsFile, `${JSON.stringify({ ...added, ...readChecksums() }, null, 2)}\n`);
