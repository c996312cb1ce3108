/** The framework of the application whose server Annex uses. Undefined if Annex has its own server. */
export const attachedTo: string | undefined = globalThis.document?.getElementById("app")?.dataset.attached;
