/**
 * Signatures of `/fapi`: HMAC-SHA256, hex, over the query string and the body exactly as they were sent, without `signature`.
 * Nothing is serialized again, because clients differ in how they escape.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { exchangeErrors } from './errors.ts';

/** How far a client's clock may run ahead, and how old a request may be at most and by default, ms. */
const aheadMax = 1_000;
const recvWindowMax = 60_000;
const recvWindowByDefault = 5_000;

const signatureParameter = /(^|&)signature=([^&]*)/;

/** The text without its `signature` parameter, and that parameter's value if there is one. */
function withoutSignature(text: string): { readonly rest: string; readonly signature: string | null } {
  const found = signatureParameter.exec(text);
  if (!found) return { rest: text, signature: null };
  const rest = text.slice(0, found.index) + text.slice(found.index + found[0].length);
  return { rest: found.index === 0 ? rest.replace(/^&/, '') : rest, signature: found[2] ?? '' };
}

/** @throws ExchangeError -1102 without a signature, -1022 for a wrong one */
export function verifySignature(secret: string, query: string, body: string): void {
  const [inQuery, inBody] = [withoutSignature(query), withoutSignature(body)];
  const signature = inQuery.signature ?? inBody.signature;
  if (signature === null || signature === '') throw exchangeErrors.missing('signature');
  const expected = createHmac('sha256', secret)
    .update(inQuery.rest + inBody.rest)
    .digest();
  if (!/^[0-9a-f]{64}$/i.test(signature)) throw exchangeErrors.onlyHmac();
  if (!timingSafeEqual(expected, Buffer.from(signature, 'hex'))) throw exchangeErrors.badSignature();
}

/** Judges `timestamp` and `recvWindow` at `now`, ms since the epoch. @throws ExchangeError -1102, -1021 */
export function verifyClock(
  { timestamp, recvWindow }: Readonly<Record<string, string | undefined>>,
  now: number,
): void {
  if (timestamp === undefined || !/^\d{1,15}$/.test(timestamp)) throw exchangeErrors.missing('timestamp');
  if (recvWindow !== undefined && !/^\d{1,6}(\.\d{1,3})?$/.test(recvWindow))
    throw exchangeErrors.illegal('recvWindow', 'must be milliseconds');
  const window = recvWindow === undefined ? recvWindowByDefault : Number(recvWindow);
  if (window > recvWindowMax) throw exchangeErrors.illegal('recvWindow', `must be at most ${recvWindowMax}`);
  const age = now - Number(timestamp);
  if (age <= -aheadMax) throw exchangeErrors.aheadOfServer();
  if (age > window) throw exchangeErrors.outsideRecvWindow();
}
