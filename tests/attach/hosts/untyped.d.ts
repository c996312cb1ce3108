/** Older versions, under another name. Their types are those of the current version. */
declare module "express-4";
declare module "koa-2";
