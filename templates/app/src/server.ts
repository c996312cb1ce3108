import { createNotesApp } from "./app.ts";

await createNotesApp().start();
