import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { GetCallerIdentityCommand, STSClient } from "@aws-sdk/client-sts";
import axios from "axios";
import { Agent, interceptors, request, fetch as undiciFetch } from "undici";
import { canary, type Failures } from "./failure.ts";

const awsError = `<ErrorResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><Error><Type>Sender</Type>
<Code>SignatureDoesNotMatch</Code><Message>The request signature we calculated does not match the signature you provided.

The Canonical String for this request should have been
'POST
/
${canary}'</Message></Error><RequestId>${canary}</RequestId></ErrorResponse>`;

/** Each response contains the canary, and each request sends it in the query, in headers and in the body. */
export async function clientFailures(close: (end: () => Promise<void>) => void): Promise<Failures> {
  const server = createServer(({ url }, response) => {
    if (url?.startsWith("/cut")) response.socket?.destroy();
    else if (url?.startsWith("/aws")) response.writeHead(403, { "content-type": "text/xml" }).end(awsError);
    else
      response
        .writeHead(401, { "content-type": "application/json", "x-session": canary })
        .end(JSON.stringify({ note: canary }));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const agent = new Agent();
  close(async () => {
    await agent.close();
    server.close();
    server.closeAllConnections();
  });
  const headers = { authorization: `Bearer ${canary}`, "x-note": canary };
  const options = { method: "POST" as const, headers, body: JSON.stringify({ password: canary }) };
  const url = (path: string) => `${origin}${path}?q=${canary}`;
  const post = (path: string) =>
    axios.post(
      `${origin}${path}`,
      { password: canary, note: canary },
      { headers, params: { q: canary }, auth: { username: "ada", password: canary } },
    );
  const aws = (path: string) =>
    new STSClient({
      endpoint: `${origin}${path}?q=${canary}`,
      region: "eu-west-1",
      maxAttempts: 1,
      credentials: { accessKeyId: canary, secretAccessKey: canary, sessionToken: canary },
    }).send(new GetCallerIdentityCommand());
  return {
    "axios, status": () => post("/"),
    "axios, closed": () => post("/cut"),
    "axios, refused": () => axios.get(`http://127.0.0.1:1/?q=${canary}`, { headers }),
    "axios, invalid URL": () => axios.get(`http://[${canary}]/?q=${canary}`, { headers }),
    "axios, response": () =>
      post("/").catch((error) => {
        throw error.response;
      }),
    "undici, status": () =>
      request(url("/"), { ...options, dispatcher: agent.compose(interceptors.responseError()) }),
    "undici, closed": () => request(url("/cut"), { ...options, dispatcher: agent }),
    "undici, fetch closed": () => undiciFetch(url("/cut"), { ...options, dispatcher: agent }),
    "undici, fetch refused": () => undiciFetch(`http://127.0.0.1:1/?q=${canary}`, options),
    "undici, invalid header": () => undiciFetch(url("/"), { headers: { "x-note": `${canary}\n${canary}` } }),
    "fetch, invalid URL": () => fetch(`http://[${canary}]/?q=${canary}`),
    "fetch, credentials": () => fetch(`http://ada:${canary}@127.0.0.1/?q=${canary}`),
    "fetch, not JSON": async () => (await fetch(url("/cut")).catch(() => new Response(canary))).json(),
    "AWS, refused": () => aws("/aws"),
    "AWS, not XML": () => aws("/"),
    "AWS, closed": () => aws("/cut"),
  };
}
