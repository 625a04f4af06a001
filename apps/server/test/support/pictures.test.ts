/** Pictures in messages: who attaches one, who sees it, and that it goes with the conversation. */
import { randomUUID } from 'node:crypto';
import { chatLimits } from '@fulcrum/domain';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { blob, jpeg } from '../storage/storage-server.ts';
import {
  type ChatServer,
  type ChatUser,
  message,
  openSession,
  refusal,
  startChatServer,
  write,
} from './chat-users.ts';

const bucket = 'chat-attachments';
let server: ChatServer;
let agent: ChatUser;
let trader: ChatUser;
let other: ChatUser;
beforeAll(async () => {
  server = await startChatServer();
  agent = await server.addChatUser('support');
  other = await server.addChatUser('trader');
});
beforeEach(async () => {
  server.clock.advance(chatLimits.paceMs);
  trader = await server.addChatUser('trader');
});
afterAll(() => server.close());

/** The id of the stored version. */
async function upload({ client, id }: ChatUser, bytes: Blob = blob(jpeg())): Promise<string> {
  const { data, error } = await client.storage.from(bucket).upload(`${id}/${randomUUID()}.jpg`, bytes);
  if (error) throw error;
  return data.id;
}
const attach = (
  sender: ChatUser,
  sessionId: string,
  attachment_id: string,
  clientId: string = randomUUID(),
) =>
  sender.client
    .from('chat_messages')
    .insert({ ...message(sessionId, 'Picture', clientId), attachment_id })
    .select()
    .single();
const picturesOf = async ({ client }: ChatUser, sessionId: string, ids: readonly string[]) =>
  (await client.rpc('get_chat_pictures', { p_session_id: sessionId, p_message_ids: [...ids] }).throwOnError())
    .data.pictures;
const fetchPicture = async ({ client }: ChatUser, url: string) => {
  const { data } = await client.auth.getSession();
  return fetch(new URL(url, server.url), {
    headers: { authorization: `Bearer ${data.session?.access_token}`, apikey: server.anonKey },
  });
};

test('pictures: both sides see one, encoded again; another trader and another session do not', async () => {
  const { id } = await openSession(trader);
  const version = await upload(trader);
  const clientId = randomUUID();
  const { data: sent } = await attach(trader, id, version, clientId).throwOnError();
  expect(sent).toMatchObject({ attachment_id: version, content: 'Picture' });
  // A repeat is the same message; the same id with another picture is refused.
  expect((await attach(trader, id, version, clientId).throwOnError()).data).toEqual(sent);
  expect(refusal(await attach(trader, id, await upload(trader), clientId)).code).toBe('idempotency_conflict');
  for (const reader of [trader, agent]) {
    const [picture] = await picturesOf(reader, id, [sent.id]);
    expect(picture).toMatchObject({ message_id: sent.id, content_type: 'image/jpeg' });
    const answer = await fetchPicture(reader, picture?.url ?? '');
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
    // A link is of no use to anyone else.
    expect((await fetchPicture(other, picture?.url ?? '')).status).toBe(404);
  }
  expect(await picturesOf(other, id, [sent.id])).toEqual([]);
  const { id: foreign } = await openSession(other);
  expect(await picturesOf(other, foreign, [sent.id])).toEqual([]);
});

test('pictures: only an own one that no other message has is attached, and only a picture', async () => {
  const { id } = await openSession(trader);
  const version = await upload(trader);
  const { id: foreign } = await openSession(other);
  for (const refused of [
    await attach(other, foreign, version),
    await attach(agent, id, version),
    await attach(trader, id, randomUUID()),
  ]) {
    expect(refusal(refused)).toMatchObject({ status: 400, code: 'invalid_argument' });
  }
  await attach(trader, id, version).throwOnError();
  expect(refusal(await attach(trader, id, version)).code).toBe('invalid_argument');
  const text = new Blob(['%PDF-1.7 not a picture'], { type: 'image/jpeg' });
  await expect(upload(trader, text)).rejects.toMatchObject({
    message: expect.stringContaining('JPEG, PNG or WebP'),
  });
});

test('pictures: they are deleted with the conversation, the agent’s too', async () => {
  const { id } = await openSession(trader);
  await write(trader, id, 'Hello');
  const versions = [await upload(trader), await upload(agent)] as const;
  await attach(trader, id, versions[0]).throwOnError();
  await attach(agent, id, versions[1]).throwOnError();
  const admin = await server.addChatUser('admin');
  const deletion = { p_user_id: trader.id, p_reason: 'Requested it', p_client_id: randomUUID() };
  await admin.client.rpc('delete_user_with_data', deletion).throwOnError();
  const { rows } = await server.db.query(
    `select f.id from app.files f where f.id = any($1::uuid[])
     union all select c.upload_id from app.file_chunks c where c.upload_id = any($1::uuid[])`,
    [versions],
  );
  expect(rows).toEqual([]);
});
