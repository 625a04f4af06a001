/**
 * A proxy for tests, on loopback: it fetches `GET /?url=<address>` and passes the answer on, as the public ones do.
 * `mode` makes it misbehave from the next request on.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * `relay`: honest. `fail`: 502 of its own. `reset`: cuts the line. `hang`: never answers. `html`: an error page with
 * status 200. `empty`: no body, with status 200. Or a function of the text of an answer, passed on with status 200.
 */
export type ProxyMode = 'relay' | 'fail' | 'reset' | 'hang' | 'html' | 'empty' | ((text: string) => string);

export interface ProxiedRequest {
  /** As it came: path and query, still encoded. */
  readonly target: string;
  /** The address that was wanted; null when there was none. */
  readonly url: string | null;
  readonly accept: string | undefined;
}

export interface ProxyServer {
  /** For MARKET_PROXIES. */
  readonly prefix: string;
  readonly requests: readonly ProxiedRequest[];
  mode: ProxyMode;
  stop(): Promise<void>;
}

const page =
  '<!DOCTYPE html><html><head><title>Limit reached</title></head><body>Try again later</body></html>';

export async function startProxyServer(): Promise<ProxyServer> {
  const requests: ProxiedRequest[] = [];
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://proxy').searchParams.get('url');
    requests.push({ target: request.url ?? '', url, accept: request.headers.accept });
    void answer(proxy.mode, url, request, response);
  });
  const proxy: ProxyServer = {
    prefix: '',
    requests,
    mode: 'relay',
    async stop() {
      server.close();
      server.closeAllConnections();
      if (server.listening) await once(server, 'close');
    },
  };
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return Object.assign(proxy, {
    prefix: `http://127.0.0.1:${(server.address() as AddressInfo).port}/?url=`,
  });
}

async function answer(
  mode: ProxyMode,
  url: string | null,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (mode === 'hang') return;
  if (mode === 'reset') return void request.socket.resetAndDestroy();
  if (mode === 'html') return void response.writeHead(200, { 'content-type': 'text/html' }).end(page);
  if (mode === 'empty') return void response.writeHead(200).end();
  if (mode === 'fail' || url === null) return void response.writeHead(502).end('Bad gateway');
  try {
    const origin = await fetch(url, { redirect: 'manual' });
    const text = await origin.text();
    const altered = mode !== 'relay';
    response.writeHead(altered ? 200 : origin.status, {
      'content-type': origin.headers.get('content-type') ?? 'text/plain',
    });
    response.end(altered ? mode(text) : text);
  } catch {
    response.writeHead(502).end('Origin unreachable');
  }
}
