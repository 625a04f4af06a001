/** A foreign site on an origin of its own: it records its requests, and allows every origin to read its answers. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ForeignSite {
  readonly url: string;
  /** Method and path of each request. */
  readonly requests: readonly string[];
  /** What `/` answers from now on. */
  serve(html: string): void;
  close(): Promise<void>;
}

export async function openForeignSite(): Promise<ForeignSite> {
  const requests: string[] = [];
  let page = '<!doctype html><title>foreign</title>';
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    const isScript = request.url?.endsWith('.js') === true;
    response.writeHead(200, {
      'content-type': isScript ? 'text/javascript' : 'text/html',
      'access-control-allow-origin': '*',
    });
    response.end(isScript ? 'window.__pwned = "a foreign script"' : page);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    serve: (html) => {
      page = html;
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
