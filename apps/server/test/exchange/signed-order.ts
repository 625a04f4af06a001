/** An order as a bot sends it to `/fapi`, without a library. */
import { createHmac } from 'node:crypto';

/** As `create_api_key` answers it. */
export interface ApiKey {
  readonly api_key: string;
  readonly secret: string;
}

/** `at` is the time of the request; it must be accepted. @throws Error with the refusal */
export async function sendSignedOrder(
  url: string,
  { api_key: key, secret }: ApiKey,
  order: Readonly<Record<string, string>>,
  at = Date.now(),
): Promise<void> {
  const params = new URLSearchParams({ ...order, timestamp: String(at), recvWindow: '10000' }).toString();
  const signature = createHmac('sha256', secret).update(params).digest('hex');
  const answer = await fetch(`${url}/fapi/v1/order`, {
    method: 'POST',
    headers: { 'X-MBX-APIKEY': key, 'content-type': 'application/x-www-form-urlencoded' },
    body: `${params}&signature=${signature}`,
  });
  if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
}
