import { serveWorker } from "../../../lib/worker/serve-worker.ts";
import { createAnalysisService } from "./analysis-service.ts";
import type { AnalysisWorker } from "./messages.ts";

serveWorker<AnalysisWorker>(createAnalysisService);
