/** A small installation with data for all roles: users, positions, chats, contact forms and identity checks. */
import { randomUUID } from 'node:crypto';
import sharp from 'sharp';
import { startTradingServer, type TestUser, type TradingServer } from '../trading/trading-server.ts';

const tradersInAll = 16;

export interface StaffServer {
  readonly floor: TradingServer;
  readonly admins: readonly TestUser[];
  readonly managers: readonly TestUser[];
  readonly agent: TestUser;
  /** An admin for impersonations. */
  readonly visitor: TestUser;
  readonly traders: TestUser[];
  /** Ids. */
  readonly positions: string[];
  readonly chats: string[];
  readonly forms: string[];
  readonly checks: string[];
}

export async function openStaffServer(): Promise<StaffServer> {
  const floor = await startTradingServer();
  const [ada, mona, mike, sam, vera] = await Promise.all(
    (['admin', 'manager', 'manager', 'support', 'admin'] as const).map((role) => floor.addUser(role)),
  );
  const firm: StaffServer = {
    floor,
    admins: [floor.admin, ada!],
    managers: [mona!, mike!],
    agent: sam!,
    visitor: vera!,
    traders: [],
    positions: [],
    chats: [],
    forms: [],
    checks: [],
  };
  await Promise.all(Array.from({ length: tradersInAll }, (_, n) => addTrader(firm, n)));
  const { rows } = await floor.db.query<{ id: string }>(
    `insert into app.contact_forms (name, email, subject, message, created_at, updated_at)
     select 'A visitor', 'visitor@example.test', 'A question', 'How much is it?', now(), now() from generate_series(1, 6)
     returning id`,
  );
  firm.forms.push(...rows.map(({ id }) => id));
  return firm;
}

async function addTrader(firm: StaffServer, n: number): Promise<void> {
  const { floor, managers, traders, positions } = firm;
  const trader = await floor.addUser('trader', n % 3 === 0 ? {} : { managerId: managers[n % 2]!.id });
  traders.push(trader);
  const sides = ['BUY', 'SELL', 'BUY'];
  const opened = await Promise.all(sides.map((p_side) => floor.open(trader, { p_side })));
  positions.push(...opened.map(({ id }) => id));
  await floor.call(trader, 'close_position', { p_position_id: opened[2]!.id });
  if (n % 4 === 0) await prepareTrader(firm, trader, n);
}

/** Something for support and for a reviewer to do. */
async function prepareTrader({ chats, checks }: StaffServer, trader: TestUser, n: number): Promise<void> {
  const { data } = await trader.client.rpc('open_chat_session').throwOnError();
  chats.push((data as { id: string }).id);
  await trader.client
    .from('chat_messages')
    .insert({
      session_id: chats.at(-1),
      sender_id: trader.id,
      content: 'Hello',
      read_at: null,
      client_id: randomUUID(),
    })
    .throwOnError();
  const documents = ['document_front', 'document_back', 'selfie'];
  for (const [i, document] of documents.entries()) {
    const picture = await sharp({
      create: { width: 32, height: 32, channels: 3, background: { r: n * 10, g: i * 80, b: 9 } },
    })
      .png()
      .toBuffer();
    const { error } = await trader.client.storage
      .from('kyc-documents')
      .upload(`${trader.id}/${document}.jpg`, new Blob([new Uint8Array(picture)], { type: 'image/png' }));
    if (error) throw error;
  }
  const { data: check } = await trader.client
    .from('kyc_verifications')
    .insert({
      user_id: trader.id,
      first_name: 'Amelia',
      last_name: 'Stone',
      date_of_birth: '1991-04-17',
      country: 'Portugal',
      address: 'Rua das Flores 128',
      city: 'Porto',
      postal_code: '4050-262',
      document_type: 'id_card',
      document_number: `RANDOM${n}`,
      ...Object.fromEntries(documents.map((document) => [`${document}_url`, `${trader.id}/${document}.jpg`])),
      status: 'pending',
      submitted_at: new Date().toISOString(),
    })
    .select('id')
    .single()
    .throwOnError();
  checks.push((check as { id: string }).id);
}
