import { createTodosApp } from "./app.ts";

const app = createTodosApp();
const { url } = await app.start();

const output = process.stdout.isTTY ? process.stdout : process.stderr;
output.write(`  Dashboard:          ${url}/_/_
  Todos example:      ${url}/
  API documentation:  ${url}/api/docs/v2/swagger

  From a terminal:

  curl ${url}/api/v2/todos
  curl -X POST ${url}/api/v1/people -H 'content-type: application/json' -d '{"name":"Ada"}'

`);
