/** A server with two admins, a mailbox and visitors, and shared steps of contact tests. */
import { randomUUID } from 'node:crypto';
import type { Database } from '@fulcrum/contract/database';
import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import { limitsWith } from '../../src/platform/limits/index.ts';
import { startSmtp } from '../auth/mailbox.ts';
import { startUserServer, type TestUser } from '../identity/user-server.ts';

export type Row = Database['public']['Tables']['contact_forms']['Row'];
export type ContactServer = Awaited<ReturnType<typeof startContactServer>>;

export const whole = {
  name: 'Zoe Martin',
  email: 'zoe@example.test',
  subject: 'A question',
  message: 'How do I begin?\n\nYours, Zoe',
  status: 'new' as const,
};

export const forms = (user: TestUser) => (user.client as SupabaseClient<Database>).from('contact_forms');
export const setStatus = (user: TestUser, id: string, status: Row['status']) =>
  forms(user).update({ status }).eq('id', id);
export const reply = (user: TestUser, { id, version }: Row, text: string, clientId?: string) =>
  (user.client as SupabaseClient<Database>).rpc('reply_contact_form', {
    p_id: id,
    p_message: text,
    p_version: version,
    ...(clientId === undefined ? {} : { p_client_id: clientId }),
  });

export async function startContactServer() {
  const mailbox = await startSmtp();
  const server = await startUserServer({
    config: {
      trustProxy: true,
      limits: limitsWith({ CONTACT_PER_ADDRESS_H: 5 }),
      smtp: mailbox.at,
      mailFrom: { name: 'Fulcrum', address: 'no-reply@fulcrum.test' },
      contactEmail: 'team@fulcrum.test',
    },
  });
  const [admin, second] = await Promise.all([server.addUser('admin'), server.addUser('admin')]);

  let addresses = 0;
  function nextAddress(): string {
    addresses += 1;
    return `10.0.${Math.floor(addresses / 250)}.${(addresses % 250) + 1}`;
  }
  /** A visitor at an address of their own, unless one is given. */
  function visitor(address = nextAddress()) {
    return createClient<Database>(server.url, server.anonKey, {
      auth: { persistSession: false, autoRefreshToken: false, storageKey: `visitor-${randomUUID()}` },
      global: { headers: { 'x-forwarded-for': address, 'x-application-name': 'fulcrum' } },
    });
  }
  const read = async (id: string): Promise<Row> =>
    (await forms(admin).select().eq('id', id).single().throwOnError()).data;
  const all = async (): Promise<Row[]> =>
    (await forms(admin).select().order('created_at', { ascending: false }).throwOnError()).data;
  /** A stored message, taken to `status` along the stated way. */
  async function message(status: Row['status'] = 'new', over: Partial<typeof whole> = {}): Promise<Row> {
    const client_id = randomUUID();
    await visitor()
      .from('contact_forms')
      .insert({ ...whole, ...over, client_id })
      .throwOnError();
    const { rows } = await server.db.query<{ id: string }>(
      'select id from app.contact_forms where client_id = $1',
      [client_id],
    );
    const { id } = rows[0]!;
    const way = { new: [], read: ['read'], archived: ['archived'], replied: ['read', 'replied'] } as const;
    for (const next of way[status]) await setStatus(admin, id, next).throwOnError();
    return read(id);
  }
  const close = async () => {
    await server.close();
    await mailbox.close();
  };
  return { server, mailbox, admin, second, nextAddress, visitor, read, all, message, close };
}
