import assert from "node:assert/strict";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { type } from "arktype";
import * as v from "valibot";
import { z } from "zod";
import { createTestApp } from "../src/app/testing/test-app.ts";
import type { App, ErrorBody, RequestEvent } from "../src/index.ts";
import { createTemporaryFolder } from "../src/lib/testing/temporary-folder.ts";

/**
 * Errors that `schema.parse` throws. They are 400s if the schema rejected the request, and 500s if it rejected other
 * data. These tests are not below `src/`, because locations in Annex's own code do not count.
 */

const Note = z.object({ text: z.string(), tags: z.array(z.object({ name: z.string() })).optional() });
const Page = z.object({ page: z.coerce.number().int() });
const Config = z.object({ port: z.number() });
const ValibotNote = v.object({ text: v.string() });
const ValibotPage = v.object({ page: v.pipe(v.string(), v.digits(), v.transform(Number)) });
const ArkNote = type({ text: "string" });
const ArkPage = type({ page: "string.integer.parse" });

async function send(url: string, body?: unknown) {
  const response = await fetch(url, {
    ...(body !== undefined && {
      method: "POST",
      body: JSON.stringify(body),
      headers: { "content-type": "application/json" },
    }),
  });
  const { message, data } = (await response.json()) as ErrorBody;
  return { status: response.status, message, fields: Object.keys(data ?? {}) };
}

const parseWith = <T>(schema: z.ZodType<T>, data: unknown): T => schema.parse(data);
const parseDeeper = <T>(schema: z.ZodType<T>, data: unknown): T => parseWith(schema, data);

async function noteOf<T>(e: RequestEvent, schema: z.ZodType<T>): Promise<T> {
  return schema.parse(await e.bindBody());
}

/** A bundler renames variables and joins declarations, but keeps the names of methods. */
const minified = importCode(
  "export async function parse(n,t){let r=1,o=await t.bindBody();return r&&n.parse(o)}",
);

function importCode(code: string): Promise<{ parse(schema: unknown, e: RequestEvent): Promise<unknown> }> {
  const file = join(createTemporaryFolder(), "bundle.mjs");
  writeFileSync(file, code);
  return import(file);
}

const bodyForms: Record<string, (e: RequestEvent) => Promise<unknown>> = {
  "zod, directly": async (e) => Note.parse(await e.bindBody()),
  "zod, with a type argument": async (e) => Note.parse(await e.bindBody<{ text: string }>()),
  "zod, asynchronously": async (e) => Note.parseAsync(await e.bindBody()),
  "zod, from a variable": async (e) => {
    const body = await e.bindBody();
    return Note.parse(body);
  },
  "zod, from a variable with a type": async (e) => {
    const given: unknown = await e.bindBody();
    await new Promise(setImmediate);
    return Note.parse(given);
  },
  "zod, as a function": async (e) => z.parse(Note, await e.bindBody()),
  "zod, in a helper": (e) => noteOf(e, Note),
  "zod, through a helper": async (e) => parseWith(Note, await e.bindBody()),
  "zod, through two helpers": async (e) => parseDeeper(Note, await e.bindBody()),
  "zod, in minified code": (e) => minified.then(({ parse }) => parse(Note, e)),
  "valibot, directly": async (e) => v.parse(ValibotNote, await e.bindBody()),
  "valibot, far from the body": async (e) => {
    const holder = { body: await e.bindBody() };
    await new Promise(setImmediate);
    return v.parse(ValibotNote, holder.body);
  },
  "arktype, directly": async (e) => ArkNote.assert(await e.bindBody()),
  "arktype, far from the body": async (e) => {
    const holder = { body: await e.bindBody() };
    return ArkNote.assert(holder.body);
  },
};

const queryForms: Record<string, (e: RequestEvent) => unknown> = {
  "zod, directly": (e) => Page.parse(Object.fromEntries(e.url.searchParams)),
  "zod, from its entries": (e) => Page.parse(Object.fromEntries(e.url.searchParams.entries())),
  "zod, from a variable": async (e) => {
    const query = Object.fromEntries(e.url.searchParams);
    return Page.parse(query);
  },
  "zod, destructured": (e) => {
    const { searchParams } = e.url;
    return Page.parse(Object.fromEntries(searchParams));
  },
  "zod, through a helper": (e) => parseWith(Page, Object.fromEntries(e.url.searchParams)),
  "valibot, directly": (e) => v.parse(ValibotPage, Object.fromEntries(e.url.searchParams)),
  "arktype, directly": (e) => ArkPage.assert(Object.fromEntries(e.url.searchParams)),
};

/** A row of the application that lacks what the request lacks, too. */
const insert = (_note: unknown) => ({ id: "1" });
const toNote = (row: unknown) => Note.parse(row);

/** Handlers above have a variable with the name of this parameter. */
function checkRow(body: unknown): unknown {
  return Note.parse(body);
}

const otherData: Record<string, (e: RequestEvent, upstream: string) => unknown> = {
  "configuration of a wrong type": () => Config.parse({ port: "x" }),
  "configuration that is missing": async (e) => {
    await e.bindBody();
    return Config.parse({});
  },
  "the response of another server": async (e, upstream) => {
    await e.bindBody();
    const response: unknown = await (await fetch(upstream)).json();
    return Note.parse(response);
  },
  "the response of another server, by valibot": async (e, upstream) => {
    await e.bindBody();
    return v.parse(ValibotNote, await (await fetch(upstream)).json());
  },
  "the response of another server, by arktype": async (e, upstream) => {
    await e.bindBody();
    return ArkNote.assert(await (await fetch(upstream)).json());
  },
  "a row": async (e) => {
    const body = await e.bindBody();
    const row = insert(body);
    return Note.parse(row);
  },
  "a row that a helper checks": async (e) => toNote(insert(await e.bindBody())),
  "a row with the query in the same call": (e) => {
    const rows = [insert(e.url.searchParams.get("page"))];
    return rows.map((row) => Note.parse(row));
  },
  "the query of another URL": (e) => {
    const target = new URL("http://example.com/?size=1");
    void e.url.searchParams;
    return Page.parse(Object.fromEntries(target.searchParams));
  },
  "a row in a parameter that is called like the body elsewhere": async (e) => {
    const given = await e.bindBody();
    return [insert(given)].map((given) => Note.parse(given));
  },
  "a row in a function with a parameter like that": async (e) => {
    const body = await e.bindBody();
    return checkRow(insert(body));
  },
  "a variable with another value by then": async (e) => {
    let data: unknown = await e.bindBody();
    data = insert(data);
    return Note.parse(data);
  },
  "a row beside a comment about the body": async (e) => {
    const row = insert(await e.bindBody());
    // const row = await e.bindBody();
    return Note.parse(row /* await e.bindBody() */);
  },
  "data that a function built from a validated body": async (e) => {
    const { id } = await e.bindBody(z.object({ id: z.string() }));
    return Note.parse({ id });
  },
};

const lookalikes: Record<string, unknown> = {
  "issues that are no list": Object.assign(new Error("no"), { issues: "many" }),
  "an empty list of issues": Object.assign(new Error("no"), { issues: [] }),
  "issues without messages": Object.assign(new Error("no"), { issues: [{ path: ["text"] }] }),
  "issues that cannot be read": Object.defineProperty(new Error("no"), "issues", {
    get() {
      throw new Error("never");
    },
  }),
  "a stack that is no text": Object.assign(new Error("no"), { issues: [{ message: "m" }], stack: 7 }),
  "a value that is no error, but has issues": { issues: [{ message: "m", path: ["text"] }] },
};

describe("errors that a schema throws", () => {
  let app: App;
  let upstream: Server;
  let url: string;
  const ends: (() => unknown)[] = [];

  before(async () => {
    upstream = createServer((_request, response) => response.end("{}")).listen(0, "127.0.0.1");
    await once(upstream, "listening");
    const other = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`;
    app = createTestApp({ after: (end) => ends.push(end) });
    app.onServe(({ router }) => {
      for (const [index, parse] of Object.values(bodyForms).entries())
        router.post(`/body/${index}`, async (e) => e.json(201, await parse(e)));
      for (const [index, parse] of Object.values(queryForms).entries())
        router.get(`/query/${index}`, async (e) => e.json(200, await parse(e)));
      for (const [index, parse] of Object.values(otherData).entries())
        router.post(`/other/${index}`, async (e) => e.json(200, await parse(e, other)));
      for (const [index, error] of Object.values(lookalikes).entries())
        router.post(`/lookalike/${index}`, async (e) => {
          await e.bindBody();
          throw error;
        });
    });
    ({ url } = await app.start());
  });

  after(async () => {
    for (const end of ends) await end();
    upstream.close();
  });

  for (const [index, name] of Object.keys(bodyForms).entries()) {
    it(`a body that ${name}, rejects is a 400 with the field`, async () => {
      assert.equal((await send(`${url}/body/${index}`, { text: "hi" })).status, 201);
      for (const body of [{ text: 7 }, {}, { text: null, more: 1 }]) {
        assert.deepEqual(await send(`${url}/body/${index}`, body), {
          status: 400,
          message: "The request contains invalid values.",
          fields: ["text"],
        });
      }
    });
  }

  it("a path in the data is in the name of the field", async () => {
    const note = { text: "hi", tags: [{ name: "a" }, { name: 7 }] };
    assert.deepEqual((await send(`${url}/body/0`, note)).fields, ["tags.1.name"]);
  });

  for (const [index, name] of Object.keys(queryForms).entries()) {
    it(`a query that ${name}, rejects is a 400 with the parameter`, async () => {
      assert.equal((await send(`${url}/query/${index}?page=2`)).status, 200);
      for (const query of ["?page=zero", "", "?size=2"]) {
        assert.deepEqual(await send(`${url}/query/${index}${query}`), {
          status: 400,
          message: "The query contains invalid values.",
          fields: ["page"],
        });
      }
    });
  }

  for (const [index, name] of Object.keys(otherData).entries()) {
    it(`${name} that a schema rejects is a 500`, async () => {
      const { status, message } = await send(`${url}/other/${index}`, { id: "1" });
      assert.deepEqual([status, message], [500, "Internal server error. See the log for this trace ID."]);
    });
  }

  for (const [index, name] of Object.keys(lookalikes).entries()) {
    it(`an error with ${name} is a 500`, async () => {
      assert.equal((await send(`${url}/lookalike/${index}`, {})).status, 500);
    });
  }
});
