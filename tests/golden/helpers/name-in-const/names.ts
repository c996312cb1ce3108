export const PAGE = "page";
export const Headers = { tenant: "X-Tenant", region: "X-Region" } as const;
export const SORT = `sort` as const;
