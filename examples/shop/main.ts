import { createShopApp } from "./app.ts";

const app = createShopApp();
const { url } = await app.start();

const output = process.stdout.isTTY ? process.stdout : process.stderr;
output.write(`  Shop:               ${url}/
  Dashboard:          ${url}/_/_
  API documentation:  ${url}/api/docs/v1/swagger

`);
