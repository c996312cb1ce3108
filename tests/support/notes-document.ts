import type { OpenAPIDocument } from "../../src/features/docs/index.ts";

const error = { description: "An error.", content: { "application/json": { schema: ref("Error") } } };

function ref(name: string) {
  return { $ref: `#/components/schemas/${name}` };
}

function json(name: string) {
  return { "application/json": { schema: ref(name) } };
}

/** The API of the guide about clients. */
export const notesDocument: OpenAPIDocument = {
  openapi: "3.0.3",
  info: { title: "Notes", version: "1.0.0" },
  servers: [{ url: "https://notes.example.com/api/v1" }],
  paths: {
    "/notes": {
      get: {
        operationId: "listNotes",
        summary: "Lists notes.",
        parameters: [
          { name: "q", in: "query", schema: { type: "string" } },
          { name: "tag", in: "query", schema: { type: "array", items: { type: "string" } } },
          { name: "page", in: "query", schema: { type: "integer", default: 1 } },
        ],
        responses: {
          200: {
            description: "OK",
            content: { "application/json": { schema: { type: "array", items: ref("Note") } } },
          },
          default: error,
        },
        security: [],
      },
      post: {
        operationId: "createNote",
        summary: "Adds a note.",
        requestBody: { required: true, content: json("NewNote") },
        responses: {
          201: { description: "Created", content: json("Note") },
          400: error,
          409: { description: "A note with this text exists.", content: json("Conflict") },
          default: error,
        },
        security: [{ bearerAuth: [] }],
      },
    },
    "/notes/{id}": {
      get: {
        operationId: "getNote",
        summary: "Returns one note.",
        parameters: [{ name: "id", in: "path", required: true, schema: { type: "string" } }],
        responses: { 200: { description: "OK", content: json("Note") }, 404: error, default: error },
        security: [],
      },
      delete: {
        operationId: "deleteNote",
        parameters: [{ name: "id", in: "path", required: true, schema: { type: "string" } }],
        responses: { 204: { description: "No Content" }, 404: error, default: error },
        security: [{ bearerAuth: [] }],
      },
    },
    "/notes/{id}/photo": {
      post: {
        operationId: "addPhoto",
        parameters: [{ name: "id", in: "path", required: true, schema: { type: "string" } }],
        requestBody: { required: true, content: { "multipart/form-data": { schema: ref("PhotoForm") } } },
        responses: { 201: { description: "Created", content: json("Photo") }, default: error },
        security: [{ bearerAuth: [] }],
      },
    },
    "/export": {
      get: {
        operationId: "exportNotes",
        responses: {
          200: { description: "OK", content: { "text/csv": { schema: { type: "string" } } } },
          default: error,
        },
        security: [],
      },
    },
    "/events": {
      get: {
        operationId: "watchNotes",
        responses: {
          200: { description: "OK", content: { "text/event-stream": { schema: { type: "string" } } } },
          default: error,
        },
        security: [],
      },
    },
  },
  components: {
    schemas: {
      Conflict: {
        type: "object",
        required: ["status", "message", "data", "trace_id"],
        properties: {
          status: { type: "integer" },
          message: { type: "string" },
          data: { type: "object", required: ["id"], properties: { id: { type: "string" } } },
          trace_id: { type: "string" },
        },
      },
      Error: {
        type: "object",
        description: "The format of all errors.",
        required: ["status", "message", "data", "trace_id"],
        properties: {
          status: { type: "integer", description: "The HTTP status code." },
          message: { type: "string" },
          data: { type: "object", additionalProperties: true },
          trace_id: { type: "string" },
        },
      },
      NewNote: {
        type: "object",
        required: ["text"],
        properties: { text: { type: "string" }, tags: { type: "array", items: { type: "string" } } },
      },
      Note: {
        type: "object",
        required: ["id", "text", "tags", "color", "due"],
        properties: {
          id: { type: "string" },
          text: { type: "string" },
          tags: { type: "array", items: { type: "string" } },
          color: { type: "string", enum: ["yellow", "green"] },
          due: {
            type: "string",
            format: "date-time",
            nullable: true,
            description: "When it is due, if ever.",
          },
          parent: ref("Note"),
        },
      },
      Photo: { type: "object", required: ["size"], properties: { size: { type: "integer" } } },
      PhotoForm: {
        type: "object",
        required: ["photo"],
        properties: { photo: { type: "string", format: "binary" }, caption: { type: "string" } },
      },
    },
    securitySchemes: { bearerAuth: { type: "http", scheme: "bearer" } },
  },
};
