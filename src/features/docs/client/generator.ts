/** Typed clients, generated from the documents of an application. */
export { chooseVersion } from "./choose-version.ts";
export { compareClientFile, foreignFile, writeClientFile } from "./client-file.ts";
export { createClientSource } from "./client-source.ts";
export { hasTypes, missingTypes } from "./complete-document.ts";
export { keepClients } from "./keep-clients.ts";
