type Tide = { high: Date; low: Date };

export type { Tide as default };
