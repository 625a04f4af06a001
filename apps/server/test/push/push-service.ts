/**
 * A push service on loopback over real TLS, and the browser that subscribes there. The browser decrypts with node:crypto
 * alone (RFC 8291, RFC 8188), so the server's library is not compared with itself.
 */
import {
  createDecipheriv,
  createECDH,
  createPublicKey,
  hkdfSync,
  randomBytes,
  randomUUID,
  verify,
} from 'node:crypto';
import { once } from 'node:events';
import type { IncomingHttpHeaders } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import tls from 'node:tls';
import { createCertificate } from './certificate.ts';

export interface ReceivedPush {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
}

export async function startPushService() {
  const certificate = createCertificate();
  tls.setDefaultCACertificates([...tls.getCACertificates('default'), certificate.cert]);
  const received: ReceivedPush[] = [];
  let answer: (push: ReceivedPush) => Answer = () => ({ status: 201 });
  const server = createServer(
    { cert: certificate.cert, key: certificate.key.export({ type: 'pkcs8', format: 'pem' }) },
    async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const push = { path: request.url ?? '', headers: request.headers, body: Buffer.concat(chunks) };
      received.push(push);
      const { status, headers = {} } = answer(push);
      response.writeHead(status, headers).end();
    },
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    /** As in `PUSH_HOSTS`. */
    host,
    received,
    answerWith: (next: typeof answer) => {
      answer = next;
    },
    subscribe: () => createBrowser(`https://${host}/push/${randomUUID()}`),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
export type PushService = Awaited<ReturnType<typeof startPushService>>;

export interface Browser {
  /** The arguments of `save_push_subscription`. */
  readonly subscription: { readonly p_endpoint: string; readonly p_p256dh: string; readonly p_auth: string };
  readonly path: string;
  decrypt(body: Buffer): unknown;
}

export function createBrowser(endpoint: string): Browser {
  const keys = createECDH('prime256v1');
  const publicKey = keys.generateKeys();
  const auth = randomBytes(16);
  return {
    path: new URL(endpoint).pathname,
    subscription: {
      p_endpoint: endpoint,
      p_p256dh: publicKey.toString('base64url'),
      p_auth: auth.toString('base64url'),
    },
    decrypt(body) {
      // The header of RFC 8188: salt, record size, length of the key id, key id (the sender's public key).
      const salt = body.subarray(0, 16);
      const idLength = body.readUInt8(20);
      const sender = body.subarray(21, 21 + idLength);
      const record = body.subarray(21 + idLength);
      const info = Buffer.concat([Buffer.from('WebPush: info\0'), publicKey, sender]);
      const ikm = Buffer.from(hkdfSync('sha256', keys.computeSecret(sender), auth, info, 32));
      const derive = (label: string, length: number) =>
        Buffer.from(hkdfSync('sha256', ikm, salt, Buffer.from(`Content-Encoding: ${label}\0`), length));
      const decipher = createDecipheriv('aes-128-gcm', derive('aes128gcm', 16), derive('nonce', 12));
      decipher.setAuthTag(record.subarray(-16));
      const plain = Buffer.concat([decipher.update(record.subarray(0, -16)), decipher.final()]);
      // The last record ends with 2 and zeros.
      const end = plain.lastIndexOf(2);
      return JSON.parse(plain.subarray(0, end).toString('utf8'));
    },
  };
}

/** Verifies the header of RFC 8292 and returns its payload. @throws when the signature is not that of `publicKey` */
export function verifyVapid(header: string, publicKey: string): unknown {
  const { t = '', k } = /^vapid t=(?<t>[\w.-]+), k=(?<k>[\w-]+)$/.exec(header)?.groups ?? {};
  if (k !== publicKey) throw new Error('another key');
  const [head = '', payload = '', signature = ''] = t.split('.');
  const point = Buffer.from(publicKey, 'base64url');
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((half) => half.toString('base64url'));
  const key = createPublicKey({ format: 'jwk', key: { kty: 'EC', crv: 'P-256', x: x ?? '', y: y ?? '' } });
  const isValid = verify(
    'sha256',
    Buffer.from(`${head}.${payload}`),
    { key, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  );
  if (!isValid) throw new Error('a wrong signature');
  return JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'));
}
