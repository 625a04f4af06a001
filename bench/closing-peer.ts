/**
 * The usual way to close positions that a price has reached: an interactive transaction for each, on the same PostgreSQL.
 * It writes the rows that the engine writes: position, wallet, the ledger group of the close, the line of the history,
 * the point of the equity curve, the notification.
 *
 * Known differences: an account gets a point of its curve with each close, where the engine writes one per account and
 * batch. Both other differences favour the peer: it omits the counters of the day, whose single row would serialize all
 * transactions, and the search for crossed positions.
 */
import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { withClients } from './cluster.ts';
import { type Run, runOf } from './figures.ts';
import { crossingPrice, symbol } from './open-positions.ts';

interface Row {
  readonly id: string;
  readonly user_id: string;
  readonly wallet_id: string;
  readonly status: string;
  readonly margin: string;
  readonly kind: string;
  readonly pnl: string;
  readonly to_insurance: string;
  readonly version: string;
}

async function close(client: pg.Client, positionId: string): Promise<void> {
  const named = (name: string, text: string, values: unknown[]) => client.query({ name, text, values });
  const group = randomUUID();
  await client.query('begin');
  const { rows } = await named(
    'hold',
    `select p.id, p.user_id, w.id as wallet_id, p.status, p.margin, w.version,
            case when p.side = 'SELL' then 'take_profit' when p.stop_loss_price is not null then 'stop_loss'
                 else 'liquidation' end as kind,
            greatest(gross.pnl, -p.margin) as pnl, greatest(-p.margin - gross.pnl, 0) as to_insurance
     from app.positions p join app.wallets w using (user_id)
     cross join lateral (
       select round(case p.side when 'BUY' then $2::numeric - p.entry_price else p.entry_price - $2::numeric end * p.size, 8)
         as pnl
     ) gross
     where p.id = $1 for no key update of p, w`,
    [positionId, crossingPrice],
  );
  const [held] = rows as Row[];
  if (held?.status !== 'open') throw new Error(`position ${positionId} is not open`);
  const { user_id: userId, margin, pnl, kind } = held;
  await named(
    'position',
    `update app.positions set status = 'closed', close_price = $2, realized_pnl = $3, close_reason = $4,
       close_price_source = 'live', closed_at = now(), updated_at = now(), version = version + 1, account_version = $5
     where id = $1`,
    [positionId, crossingPrice, pnl, kind, Number(held.version) + 1],
  );
  await named(
    'wallet',
    `update app.wallets set available_balance = available_balance + $2::numeric + $3::numeric,
       margin = margin - $2::numeric, version = version + 1, last_updated = now()
     where user_id = $1`,
    [userId, margin, pnl],
  );
  await named(
    'ledger',
    `insert into app.ledger_entries (group_id, account, user_id, amount, kind, source_id)
     select $1, e.account, case when e.account like 'user:%' then $2::uuid end, e.amount, 'close', $3
     from (values ('user:margin', -$4::numeric), ('user:cash', $4::numeric + $5::numeric),
                  ('house:pnl', $6::numeric - $5::numeric), ('insurance', -$6::numeric)) as e (account, amount)
     where e.amount <> 0`,
    [group, userId, positionId, margin, pnl, held.to_insurance],
  );
  await named(
    'line',
    `insert into app.transactions (id, user_id, wallet_id, type, amount, status, completed_at, description)
     values ($1, $2, $3, 'position_closed', $4, 'completed', now(), 'Closed ${symbol} position')`,
    [group, userId, held.wallet_id, pnl],
  );
  // What the account would hold if the rest were closed at this price (A108).
  await named(
    'equity',
    `insert into app.equity_snapshots (user_id, at, balance, equity)
     select w.user_id, clock_timestamp(), w.available_balance + w.margin + w.order_margin,
            w.available_balance + w.margin + w.order_margin + coalesce(sum(greatest(-p.margin,
              round(case p.side when 'BUY' then $2::numeric - p.entry_price else p.entry_price - $2::numeric end * p.size, 8))), 0)
     from app.wallets w left join app.positions p on p.user_id = w.user_id and p.status = 'open'
     where w.user_id = $1 group by w.user_id, w.available_balance, w.margin, w.order_margin
     on conflict (user_id, at) do update set balance = excluded.balance, equity = excluded.equity`,
    [userId, crossingPrice],
  );
  await named(
    'notice',
    `insert into app.notifications (id, user_id, kind, message, symbol, position_id, created_at)
     values ($1, $2, $3, 'Your position was closed at ' || $4 || ', PnL ' || $5 || ' USDT.', '${symbol}', $6, now())`,
    [randomUUID(), userId, kind, String(crossingPrice), pnl, positionId],
  );
  await client.query('commit');
}

/** Closes `sample` positions of as many traders as there are, `concurrency` at a time. */
export async function measureClosingPeer(
  databaseUrl: string,
  { sample, concurrency }: { readonly sample: number; readonly concurrency: number },
): Promise<Run> {
  return withClients(databaseUrl, concurrency, async (clients) => {
    // In order of their random ids: neighbours rarely belong to one trader, whose wallet they would wait for.
    const chosen = await clients[0]?.query<{ id: string }>(
      'select id from app.positions order by id limit $1',
      [sample],
    );
    const left = chosen?.rows.map(({ id }) => id) ?? [];
    const latencies: number[] = [];
    const from = performance.now();
    await Promise.all(
      clients.map(async (client) => {
        for (let id = left.pop(); id !== undefined; id = left.pop()) {
          const sent = performance.now();
          await close(client, id);
          latencies.push(performance.now() - sent);
        }
      }),
    );
    const seconds = (performance.now() - from) / 1000;
    return runOf('an interactive transaction each', concurrency, latencies, seconds);
  });
}
