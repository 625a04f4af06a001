/**
 * The past of `trader@fulcrum.local`: closed trades, open positions, waiting orders, journal, notices. Invariant: only an
 * account that was made for it and that nobody has used gets it; another one stays as it is.
 */
import { dayMs, hourMs, minuteMs } from '@fulcrum/domain';
import type { Queryable } from '../../platform/database/index.ts';
import type { Past } from '../trading/index.ts';
import { createHours, createPastBars } from './bars.ts';
import type { DemoDependencies } from './dependencies.ts';
import { intentOfOpen, intentOfOrder, intentsOfTrade } from './intents.ts';
import { pickOpen, pickTrade, type TradeScript } from './pick.ts';
import { type Intent, play } from './play.ts';
import { favorites, journal, openPositions, trades, waitingOrders } from './script/trader.ts';
import { recordStep } from './steps.ts';

/** How long ago the demo's accounts were made, as they tell. */
export const demoAgeDays = 46;
/** Days of the past that the script uses. */
const pastDays = 44;
/** Newer closes would crowd the first look. */
const quietMs = 2 * hourMs;
/** The notices that are left unread. */
const unreadMax = 3;

const eligibleTrader = `
  select u.id from app.users u join app.wallets w on w.user_id = u.id
  where u.email = 'trader@fulcrum.local' and u.role = 'trader' and w.version = 1 and u.created_at < $1`;

export async function writeTraderPast(deps: DemoDependencies, signal: AbortSignal): Promise<void> {
  const { db, clock, market, trading } = deps;
  const now = clock.now();
  const begin = now - pastDays * dayMs;
  const { rows } = await db.query<{ id: string }>(eligibleTrader, [new Date(begin)]);
  const accountId = rows[0]?.id;
  if (accountId === undefined) return;

  const until = Math.floor(now / minuteMs) * minuteMs;
  const bars = createPastBars(market);
  const hours = createHours(bars, begin, now);

  const opened = new Map<string, string>();
  const intents: Intent[] = [];
  for (const script of trades) {
    const pair = market.pair(script.symbol);
    const plan = pair && pickTrade(script, await hours.list(script.symbol), { now, until: now - quietMs });
    if (plan) intents.push(...intentsOfTrade(accountId, plan, pair, (id) => opened.set(script.key, id)));
  }
  for (const script of openPositions) {
    const pair = market.pair(script.symbol);
    const plan = pair && pickOpen(script, await hours.list(script.symbol), now);
    if (plan) intents.push(intentOfOpen(accountId, plan, pair));
  }
  for (const script of waitingOrders) {
    const pair = market.pair(script.symbol);
    if (pair) intents.push(intentOfOrder(accountId, script, pair, now));
  }

  const past = await trading.beginPast([accountId], begin);
  await play({ past, intents, bars, hours: hours.byOpening, grain: '1m', until, signal });
  await past.write(async (tx) => {
    await recordStep(tx, 'trader');
    await writeJournal(tx, { accountId, past, opened, now });
    await tx.query(
      `insert into app.favorites (user_id, symbol) select $1, unnest($2::text[]) on conflict do nothing`,
      [accountId, favorites],
    );
    await tx.query(
      `update app.notifications set read_at = created_at + interval '5 minutes'
       where user_id = $1 and id not in (
         select id from app.notifications where user_id = $1 order by created_at desc limit ${unreadMax})`,
      [accountId],
    );
  });
}

interface JournalContext {
  readonly accountId: string;
  readonly past: Past;
  /** Positions by the key of their trade. */
  readonly opened: ReadonlyMap<string, string>;
  readonly now: number;
}

async function writeJournal(tx: Queryable, context: JournalContext): Promise<void> {
  const { accountId, now } = context;
  const closed = closedTrades(context);
  const used = new Set<string>();
  for (const { title, content, tags, trade, hours } of journal) {
    const linked = trade === null ? null : nearest(closed, trade, used);
    if (linked) used.add(linked.positionId);
    const at = linked ? linked.at + hours * hourMs : now - hours * hourMs;
    await tx.query(
      `insert into app.journal_entries (user_id, title, content, tags, created_at, position_id) values ($1, $2, $3, $4, $5, $6)`,
      [accountId, title, content, tags, new Date(Math.min(at, now)), linked?.positionId ?? null],
    );
  }
}

interface ClosedTrade {
  readonly script: TradeScript;
  readonly positionId: string;
  readonly at: number;
  readonly won: boolean;
}

const closedTrades = ({ past, opened }: JournalContext): ClosedTrade[] =>
  trades.flatMap((script) => {
    const position = past.position(opened.get(script.key) ?? '');
    if (!position?.closing) return [];
    const { at, realizedPnl } = position.closing;
    return [{ script, positionId: position.id, at, won: realizedPnl > 0n }];
  });

/** The trade of that key, or the nearest one that ended as the script says of it. */
function nearest(closed: readonly ClosedTrade[], key: string, used: ReadonlySet<string>): ClosedTrade | null {
  const index = trades.findIndex((trade) => trade.key === key);
  const script = trades[index];
  if (!script) return null;
  const distance = ({ script: other }: ClosedTrade): number =>
    Math.abs(trades.indexOf(other) - index) + (other.symbol === script.symbol ? 0 : 0.5);
  const fitting = closed.filter(({ positionId, won }) => !used.has(positionId) && won === script.r > 0);
  return fitting.toSorted((a, b) => distance(a) - distance(b))[0] ?? null;
}
