/** The application on the data folder that is given as the first argument. Prints its address. */
import { createFilledApp } from "./app.ts";

const { url } = await createFilledApp(process.argv[2]!).start();
console.log(`Listening at ${url}.`);
