/** kill -9 while messages are being acknowledged: what was acknowledged is there, the rest once it is sent again. */
import { randomUUID } from 'node:crypto';
import type { Database } from '@fulcrum/contract/database';
import { chatLimits } from '@fulcrum/domain';
import type { SupabaseClient } from '@supabase/supabase-js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '../harness/free-port.ts';
import {
  type Installation,
  makeInstallation,
  type ServerProcess,
  signUpAt,
} from '../harness/server-process.ts';
import { until } from '../realtime/realtime-server.ts';

const traders = 3;
/** Messages that are acknowledged before the kill, of the `traders * chatLimits.paceMessages` that are written. */
const killAfter = 10;

let installation: Installation;
let server: ServerProcess;
let port: number;
const start = async () => {
  server = installation.run({ env: { PORT: String(port) } });
  return server.ready();
};
beforeAll(async () => {
  installation = makeInstallation();
  port = await freePort();
}, 180_000);
afterAll(() => installation.dispose(), 60_000);

interface Writer {
  readonly client: SupabaseClient<Database>;
  readonly sessionId: string;
}

test('every acknowledged message outlives a kill -9, and those without an answer are there once when they are repeated', async () => {
  const url = await start();
  const writers: Writer[] = [];
  for (let n = 0; n < traders; n += 1) {
    const client: SupabaseClient<Database> = await signUpAt(url, `writer-${n}`);
    const { data } = await client.rpc('open_chat_session', {}).throwOnError();
    writers.push({ client, sessionId: data.id });
  }
  const acknowledged = new Map<string, object>();
  const unanswered: { writer: Writer; clientId: string }[] = [];
  const write = async ({ client, sessionId }: Writer, clientId: string) => {
    const row = { session_id: sessionId, content: `message ${clientId}`, client_id: clientId };
    const { data } = await client.from('chat_messages').insert(row).select().single();
    if (data) acknowledged.set(clientId, data);
    return data;
  };
  const stream = async (writer: Writer) => {
    for (let n = 0; n < chatLimits.paceMessages; n += 1) {
      const clientId = randomUUID();
      if (!(await write(writer, clientId))) unanswered.push({ writer, clientId });
    }
  };
  const streams = Promise.all(writers.map(stream));
  await until(() => acknowledged.size >= killAfter);
  await server.end('SIGKILL');
  await streams;
  expect(unanswered.length).toBeGreaterThan(0);

  await start();
  const stored = async ({ client, sessionId }: Writer) =>
    (await client.from('chat_messages').select().eq('session_id', sessionId).order('seq').throwOnError())
      .data;
  const before = (await Promise.all(writers.map(stored))).flat();
  for (const row of acknowledged.values()) expect(before).toContainEqual(row);

  for (const { writer, clientId } of unanswered) expect(await write(writer, clientId)).not.toBeNull();
  for (const writer of writers) {
    const rows = await stored(writer);
    expect(rows.map(({ seq }) => seq)).toEqual(rows.map((_, n) => n + 1));
    expect(rows).toHaveLength(chatLimits.paceMessages);
    expect(new Set(rows.map(({ client_id }) => client_id)).size).toBe(rows.length);
  }
}, 180_000);
