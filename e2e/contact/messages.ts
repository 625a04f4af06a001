/** Messages of visitors, each from an address of its own: the server has to trust its proxy, which is the test process. */
import type { Fulcrum } from '../harness/fulcrum.ts';

export interface Message {
  readonly name: string;
  readonly email: string;
  readonly subject: string;
  readonly message: string;
}

let addresses = 0;

export async function sendMessage(fulcrum: Fulcrum, over: Partial<Message> = {}): Promise<void> {
  const { anonKey } = (await (await fetch(`${fulcrum.url}/config.json`)).json()) as { anonKey: string };
  addresses += 1;
  const answer = await fetch(`${fulcrum.url}/rest/v1/contact_forms`, {
    method: 'POST',
    headers: {
      apikey: anonKey,
      'content-type': 'application/json',
      'x-forwarded-for': `10.0.${Math.floor(addresses / 250)}.${(addresses % 250) + 1}`,
    },
    body: JSON.stringify({
      name: 'Zoe Martin',
      email: 'zoe@example.test',
      subject: `Question ${addresses}`,
      message: 'How do I begin?',
      ...over,
    }),
  });
  if (answer.status !== 201) throw new Error(`${answer.status} ${await answer.text()}`);
}
