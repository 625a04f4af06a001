/**
 * The usual implementations, writing the same rows as the engine (wallet, position, two ledger entries, stored answer; for an
 * order also its row and its notification) with the same guards: one plpgsql call per order, as in a Supabase product, and
 * an interactive transaction per order. They use PostgreSQL directly, without HTTP, token and validation.
 *
 * Known difference, in their favour: they omit the counters of the day, which a batch of the engine adds up once. The single
 * row of the counters would serialize all orders.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import type pg from 'pg';
import { withClients } from './cluster.ts';
import { type Run, runOf } from './figures.ts';
import { type Measure, tradersOf } from './traders.ts';

/** A function that takes the margin, does `work`, books the margin and stores the answer under the command's name. */
const guarded = (name: string, command: string, work: string) => `
create function public.${name}(
  p_user uuid, p_symbol text, p_side text, p_price numeric, p_size numeric, p_leverage integer, p_client_id text, p_hash bytea
) returns jsonb language plpgsql as $$
declare
  held app.wallets; needed numeric; order_id uuid := gen_random_uuid(); position_id uuid := gen_random_uuid();
  entry_group uuid := gen_random_uuid(); stored jsonb;
begin
  select answer into stored from app.commands where user_id = p_user and client_id = p_client_id;
  if found then return stored; end if;
  select * into held from app.wallets where user_id = p_user for no key update;
  needed := round(p_price * p_size / p_leverage, 8);
  if held.available_balance < needed then raise exception 'Insufficient available balance'; end if;
  update app.wallets
  set available_balance = available_balance - needed, margin = margin + needed, version = version + 1, last_updated = now()
  where user_id = p_user;
  ${work}
  insert into app.ledger_entries (group_id, account, user_id, amount, kind, source_id)
  values (entry_group, 'user:cash', p_user, -needed, 'open', position_id),
         (entry_group, 'user:margin', p_user, needed, 'open', position_id);
  insert into app.commands (user_id, client_id, procedure, body_hash, answer)
  values (p_user, p_client_id, '${command}', p_hash, stored);
  return stored;
end $$`;

const openPosition = guarded(
  'open_position',
  'open_position',
  `insert into app.positions as p (id, user_id, symbol, side, entry_price, size, leverage, margin, liquidation_price, status,
                                  rules, account_version)
  values (position_id, p_user, p_symbol, p_side, p_price, p_size, p_leverage, needed,
          p_price * (1 - 0.95 / p_leverage), 'open', 'standard', held.version + 1)
  returning to_jsonb(p) into stored;`,
);

/** A MARKET order as a row of its own, filled at once. */
const placeOrder = guarded(
  'place_order',
  'orders.insert',
  `insert into app.positions (id, user_id, symbol, side, entry_price, size, leverage, margin, liquidation_price, status,
                             rules, account_version)
  values (position_id, p_user, p_symbol, p_side, p_price, p_size, p_leverage, needed,
          p_price * (1 - 0.95 / p_leverage), 'open', 'standard', held.version + 1);
  insert into app.orders as o (id, user_id, symbol, type, side, size, leverage, rules, status, position_id, client_id,
                               created_at, updated_at, version, account_version)
  values (order_id, p_user, p_symbol, 'MARKET', p_side, p_size, p_leverage, 'standard', 'FILLED', position_id,
          p_client_id, now(), now(), 2, held.version + 1)
  returning to_jsonb(o) into stored;
  insert into app.notifications (id, user_id, kind, message, symbol, position_id, order_id, created_at)
  values (gen_random_uuid(), p_user, 'order_filled',
          'Your MARKET order ' || p_side || ' ' || p_size || ' ' || p_symbol || ' was filled at ' || p_price || '.',
          p_symbol, position_id, order_id, now());`,
);

type Order = (client: pg.Client, userId: string) => Promise<void>;

const terms = ['BTCUSDT', 'BUY', '65000.12', '0.001', 10] as const;

const byFunction =
  (name: 'open_position' | 'place_order'): Order =>
  async (client, userId) => {
    await client.query({
      name,
      text: `select public.${name}($1, $2, $3, $4, $5, $6, $7, $8)`,
      values: [userId, ...terms, randomUUID(), randomBytes(32)],
    });
  };

const byTransaction: Order = async (client, userId) => {
  const [symbol, side, price, size, leverage] = terms;
  const [positionId, clientId] = [randomUUID(), randomUUID()];
  const named = (name: string, text: string, values: unknown[]) => client.query({ name, text, values });
  await client.query('begin');
  await named('stored', 'select answer from app.commands where user_id = $1 and client_id = $2', [
    userId,
    clientId,
  ]);
  const { rows } = await named(
    'hold',
    `select version, available_balance >= round($2::numeric * $3::numeric / $4::integer, 8) as covered,
            round($2::numeric * $3::numeric / $4::integer, 8) as needed
     from app.wallets where user_id = $1 for no key update`,
    [userId, price, size, leverage],
  );
  const [held] = rows as { version: string; covered: boolean; needed: string }[];
  if (!held?.covered) throw new Error('Insufficient available balance');
  await named(
    'pay',
    `update app.wallets set available_balance = available_balance - $2::numeric, margin = margin + $2::numeric,
       version = version + 1, last_updated = now() where user_id = $1`,
    [userId, held.needed],
  );
  const inserted = await named(
    'position',
    `insert into app.positions as p (id, user_id, symbol, side, entry_price, size, leverage, margin, liquidation_price,
                                     status, rules, account_version)
     values ($1, $2, $3, $4, $5, $6, $7::integer, $8, $5::numeric * (1 - 0.95 / $7::integer), 'open', 'standard', $9)
     returning to_jsonb(p) as answer`,
    [positionId, userId, symbol, side, price, size, leverage, held.needed, Number(held.version) + 1],
  );
  await named(
    'ledger',
    `insert into app.ledger_entries (group_id, account, user_id, amount, kind, source_id)
     values ($1, 'user:cash', $2, -$3::numeric, 'open', $4), ($1, 'user:margin', $2, $3::numeric, 'open', $4)`,
    [randomUUID(), userId, held.needed, positionId],
  );
  await named(
    'answer',
    `insert into app.commands (user_id, client_id, procedure, body_hash, answer) values ($1, $2, 'open_position', $3, $4)`,
    [userId, clientId, randomBytes(32), JSON.stringify(inserted.rows[0].answer)],
  );
  await client.query('commit');
};

export const peers = {
  'one plpgsql call per order': byFunction('open_position'),
  'one plpgsql call per order with its row': byFunction('place_order'),
  'an interactive transaction per order': byTransaction,
} as const satisfies Record<string, Order>;
export type PeerName = keyof typeof peers;

/** Runs one peer on a database of its own with `concurrency` connections, each sending its next order after the last answer. */
export async function measurePeer(
  name: PeerName,
  concurrency: number,
  databaseUrl: string,
  measure: Measure,
): Promise<Run> {
  const order = peers[name];
  return withClients(databaseUrl, concurrency, async (clients) => {
    const [first] = clients;
    if (!first) throw new RangeError('at least one connection');
    await first.query(openPosition);
    await first.query(placeOrder);
    const traders = await tradersOf(first, measure.traders);
    const latencies: number[] = [];
    const start = performance.now();
    const measureFrom = start + measure.warmUpS * 1000;
    const end = measureFrom + measure.seconds * 1000;
    await Promise.all(
      clients.map(async (client, i) => {
        for (let index = i; performance.now() < end; index += concurrency) {
          const sent = performance.now();
          await order(client, traders[index % traders.length] ?? '');
          const answered = performance.now();
          if (answered >= measureFrom && answered < end) latencies.push(answered - sent);
        }
      }),
    );
    return runOf(name, concurrency, latencies, measure.seconds);
  });
}
