/** Whether a status may be 401 or 403. One that is not known may be. */
export const isDenial = (statuses: readonly unknown[] | undefined): boolean =>
  statuses === undefined || statuses.includes(401) || statuses.includes(403);
