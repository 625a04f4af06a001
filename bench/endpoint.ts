/** Where a measured server listens, as its clients know it. */
export interface Endpoint {
  readonly url: string;
  readonly anonKey: string;
}
/** The endpoint, with an access token of each trader. */
export interface ServerReady extends Endpoint {
  readonly tokens: readonly string[];
}

export const socketUrlOf = ({ url, anonKey }: Endpoint): string =>
  `${url.replace('http', 'ws')}/realtime/v1/websocket?apikey=${anonKey}&vsn=2.0.0`;

/** The message that joins a topic on a realtime connection, and follows the rows of `changes`. */
export const joinOf = (topic: string, token: string, changes?: readonly object[], ref = '1'): string =>
  JSON.stringify([
    ...[ref, ref, `realtime:${topic}`, 'phx_join'],
    { access_token: token, ...(changes && { config: { postgres_changes: changes } }) },
  ]);

/** Posts JSON as a token's user; resolves with the JSON of the answer. @throws Error for a refusal */
export async function post<Answer = Readonly<Record<string, unknown>>>(
  { url, anonKey }: Endpoint,
  path: string,
  token: string | null,
  body: unknown,
): Promise<Answer> {
  const answer = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: {
      apikey: anonKey,
      'content-type': 'application/json',
      ...(token !== null && { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify(body),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${text}`);
  return JSON.parse(text === '' ? '{}' : text) as Answer;
}
