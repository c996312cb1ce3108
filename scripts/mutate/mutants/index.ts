import { applicationMutants } from "./application.ts";
import { authMutants } from "./auth.ts";
import { featureMutants } from "./features.ts";
import { foundationMutants } from "./foundation.ts";
import { httpMutants } from "./http.ts";
import { webMutants } from "./web.ts";

export const mutants = [
  ...foundationMutants,
  ...httpMutants,
  ...authMutants,
  ...featureMutants,
  ...applicationMutants,
  ...webMutants,
];
