/** JSON of the saved views. Times are milliseconds since the epoch. */

/** An address of the dashboard that a superuser saved under a name. */
export interface SavedView {
  readonly id: string;
  readonly name: string;
  /** A path of the dashboard with its query, such as "/_/_/logs?range=1h". */
  readonly address: string;
  readonly created: number;
  readonly updated: number;
}

/** Characters of the name of a view. */
export type MaxViewName = 80;

export interface SavedViewList {
  /** The views of the superuser who sent the request, by name. */
  readonly views: readonly SavedView[];
}

/** The responses of GET routes, by path. */
export interface DashboardRoutes {
  "/_/_/data/views": SavedViewList;
}

/** The responses of routes that change something, by method and path. */
export interface DashboardActions {
  "POST /_/_/data/views": SavedView;
  "PATCH /_/_/data/views/{id}": SavedView;
  "DELETE /_/_/data/views/{id}": undefined;
}
