/** The pages of the dashboard, in the order of the navigation. */
import { access } from "./access/index.ts";
import { api } from "./api/index.ts";
import { config } from "./config/index.ts";
import { cron } from "./cron/index.ts";
import type { Page } from "./define-page.ts";
import { errors } from "./errors/index.ts";
import { logs } from "./logs/index.ts";
import { overview } from "./overview/index.ts";
import { requests } from "./requests/index.ts";
import { visitors } from "./visitors/index.ts";

export const pages: readonly Page[] = [overview, requests, errors, visitors, cron, logs, access, api, config];
