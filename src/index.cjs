"use strict";

/** The entry for `require("annex")`. Node loads ES modules with `require`, unless it is too old for Annex. */
try {
  module.exports = require("./index.js");
} catch (error) {
  if (error.code !== "ERR_REQUIRE_ESM") throw error;
  const [, oldest] = /(\d.*)/.exec(require("../package.json").engines.node);
  throw new Error(`Annex requires Node ${oldest} or newer, but this is Node ${process.versions.node}.`);
}
