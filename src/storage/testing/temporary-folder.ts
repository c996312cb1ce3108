export { createTemporaryFolder } from "../../lib/testing/temporary-folder.ts";
