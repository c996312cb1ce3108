/**
 * The application, as a request event and a serve event know it. The layers below `app/` never look inside; `app/`
 * fills the interface in, so that `e.app` has the application's whole type for the people who write handlers.
 */
// biome-ignore lint/suspicious/noEmptyInterface: filled in by src/app/app.ts
export interface Host {}
