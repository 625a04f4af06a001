/** A server with a signed-in trader and agent on the official client, and shared steps of chat tests. */
import { randomUUID } from 'node:crypto';
import { texts } from '@fulcrum/contract';
import type { Database } from '@fulcrum/contract/database';
import { chatLimits } from '@fulcrum/domain';
import type { RealtimeChannel, SupabaseClient } from '@supabase/supabase-js';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { startUserServer, type TestUser, type UserServer } from '../identity/user-server.ts';

export type Client = SupabaseClient<Database>;
export interface ChatUser extends Omit<TestUser, 'client'> {
  readonly role: 'trader' | 'support' | 'admin';
  readonly client: Client;
}
export type ChatServer = Awaited<ReturnType<typeof startChatServer>>;

export async function startChatServer() {
  const server: UserServer = await startUserServer();
  const addChatUser = async (role: 'trader' | 'support' | 'admin'): Promise<ChatUser> => {
    const made = await server.addUser(role);
    return { ...made, role, client: made.client as Client };
  };
  return {
    ...server,
    addChatUser,
    get db() {
      return server.db;
    },
    /** Far enough for the next message of anybody. */
    later: () => server.clock.advance(1_001),
  };
}

export const openSession = async ({ client }: ChatUser) =>
  (await client.rpc('open_chat_session', {}).throwOnError()).data;

export const message = (session_id: string, content: string, client_id: string = randomUUID()) => ({
  session_id,
  content,
  client_id,
});

export const write = async ({ client }: ChatUser, session_id: string, content: string, client_id?: string) =>
  (
    await client
      .from('chat_messages')
      .insert(message(session_id, content, client_id))
      .select()
      .single()
      .throwOnError()
  ).data;

export interface ReceivedChange {
  readonly table: string;
  readonly type: string;
  readonly row: Record<string, unknown>;
}

/** Joins a channel of the person's own, in place of the one before, and collects what it is told of these tables. */
export async function listen({ client, id, role }: ChatUser, filter?: string): Promise<ReceivedChange[]> {
  const received: ReceivedChange[] = [];
  await client.removeAllChannels();
  let channel: RealtimeChannel = client.channel(`user:${id}`);
  const own = role === 'trader' ? (['notifications'] as const) : [];
  const team = role === 'support' ? (['chat_triage'] as const) : [];
  for (const table of ['chat_sessions', 'chat_messages', ...own, ...team] as const) {
    const more = table === 'chat_messages' && filter !== undefined ? { filter } : {};
    channel = channel.on('postgres_changes', { event: '*', schema: 'public', table, ...more }, (change) =>
      received.push({
        table,
        type: change.eventType,
        row: (change.eventType === 'DELETE' ? change.old : change.new) as Record<string, unknown>,
      }),
    );
  }
  // A socket that the moved clock took for silent is opened again by the client, and the channel joined again.
  await new Promise<void>((resolve) => {
    channel.subscribe((status) => status === 'SUBSCRIBED' && resolve());
  });
  return received;
}

/** What a refused request says. */
export const refusal = ({
  status,
  error,
}: {
  status: number;
  error: { code?: string; message: string } | null;
}) => ({
  status,
  code: error?.code,
  message: error?.message,
});
export const closed = { status: 409, code: 'session_closed', message: texts.sessionClosed };
export const unknown = { status: 404, code: 'not_found', message: texts.chatNotFound };

/** A session as this person reads it. */
export const sessionOf = async ({ client }: ChatUser, id: string) =>
  (await client.from('chat_sessions').select().eq('id', id).single().throwOnError()).data;
export const close = ({ client }: ChatUser, id: string) =>
  client
    .from('chat_sessions')
    .update({ status: 'closed', closed_at: new Date().toISOString() })
    .eq('id', id)
    .eq('status', 'open')
    .select();

/** Of the file that calls `shareChat`: one agent for all of its tests, and a trader for each. */
export let server: ChatServer;
export let agent: ChatUser;
export let trader: ChatUser;

/** `passMs` go by before each test, by default so many that the pace of the last one is over. */
export function shareChat(passMs: number = chatLimits.paceMs): void {
  beforeAll(async () => {
    server = await startChatServer();
    agent = await server.addChatUser('support');
  });
  beforeEach(async () => {
    server.clock.advance(passMs);
    trader = await server.addChatUser('trader');
  });
  afterAll(() => server.close());
}
