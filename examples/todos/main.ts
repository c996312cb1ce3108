import { createTodosApp } from "./app.ts";

const app = createTodosApp();
const { url } = await app.start();

const output = process.stdout.isTTY ? process.stdout : process.stderr;
output.write(`  The todos example is running. Try it:

  curl ${url}/api/v1/todos
  curl -X POST ${url}/api/v1/people -H 'content-type: application/json' -d '{"name":"Ada"}'
  curl ${url}/api/health

  Superusers sign in at ${url}/_/
  and then see the jobs at ${url}/api/cron/jobs and their runs at ${url}/api/cron/logs

`);
