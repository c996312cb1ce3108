/**
 * The type of `e.app`. Layers below `app/` do not use its members. `app/` extends the interface, so that handlers see
 * the full type of the application.
 */
// biome-ignore lint/suspicious/noEmptyInterface: extended by src/app/app.ts
export interface Host {}
