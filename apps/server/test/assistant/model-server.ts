/** A language model on this machine: the streaming wire format of the OpenAI API, with what a test lets it answer. */
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ModelCall {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: {
    readonly model: string;
    readonly stream: boolean;
    readonly messages: readonly { readonly role: string; readonly content: string }[];
  };
}

type Behaviour = (reply: ServerResponse, call: ModelCall) => void | Promise<void>;

const chunk = (content: string): string =>
  `data: ${JSON.stringify({ id: 'x', object: 'chat.completion.chunk', choices: [{ index: 0, delta: { content }, finish_reason: null }] })}\n\n`;

/** Starts a stream of events. */
export function begin(reply: ServerResponse): (content: string) => void {
  reply.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
  reply.write(`data: ${JSON.stringify({ choices: [{ delta: { role: 'assistant', content: '' } }] })}\n\n`);
  return (content) => void reply.write(chunk(content));
}

export const finish = (reply: ServerResponse): void => {
  reply.end(
    `data: ${JSON.stringify({ choices: [{ delta: {}, finish_reason: 'stop' }] })}\n\ndata: [DONE]\n\n`,
  );
};

/** Answers with this text, in parts of a few characters. */
export const text =
  (whole: string): Behaviour =>
  (reply) => {
    const send = begin(reply);
    for (let from = 0; from < whole.length; from += 7) send(whole.slice(from, from + 7));
    finish(reply);
  };

export async function startModelServer() {
  const calls: ModelCall[] = [];
  let behaviour: Behaviour = text('Nothing.');
  /** Requests whose connection ended before the answer did. */
  let left = 0;
  const server = createServer(async (request, reply) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const call: ModelCall = {
      path: request.url ?? '',
      headers: request.headers,
      body: JSON.parse(Buffer.concat(parts).toString()) as ModelCall['body'],
    };
    calls.push(call);
    reply.once('close', () => {
      if (!reply.writableFinished) left += 1;
    });
    await behaviour(reply, call);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    calls,
    left: () => left,
    answers: (next: Behaviour) => {
      behaviour = next;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
export type ModelServer = Awaited<ReturnType<typeof startModelServer>>;
