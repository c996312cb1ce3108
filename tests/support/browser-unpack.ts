/** Unpacks the packaged browser into this process's temporary folder; `browser.ts` chooses which one that is. */
import chromium from "@sparticuz/chromium";

await chromium.executablePath();
