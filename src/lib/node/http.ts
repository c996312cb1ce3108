/**
 * The module `node:http`. An `import` of it would read all of its exports, among them WebSocket, which loads the client
 * of `fetch` with its 100 modules.
 */
export const http = process.getBuiltinModule("node:http");
