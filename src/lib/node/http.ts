/**
 * The module `node:http`. An `import` of it would read all of its exports, among them WebSocket, for which Node loads the
 * client of `fetch`. That takes longer than all the rest of `node:http`.
 */
export const http = process.getBuiltinModule("node:http");
