/**
 * The invented users, each in one transaction with the mark that they are written, and their trading, in groups. Invariant:
 * a user who was deleted or cleared does not come back.
 */
import { dayMs, hourMs, minuteMs, parseDecimal } from '@fulcrum/domain';
import { IdentityError, insertUser } from '../identity/index.ts';
import { createHours, createPastBars } from './bars.ts';
import type { DemoDependencies } from './dependencies.ts';
import { intentOfOpen, intentsOfTrade } from './intents.ts';
import { type OpenScript, pickOpen, pickTrade, type TradeScript } from './pick.ts';
import { type Intent, play } from './play.ts';
import { emailOf, openOf, tradesOf, type UserScript, users, userTradeDays } from './script/users.ts';
import { recordStep } from './steps.ts';

/** Seconds of a past with more accounts would hold its transaction for long. */
const groupSize = 9;

export async function writeUsers({ db, clock, log }: DemoDependencies, signal: AbortSignal): Promise<void> {
  const now = clock.now();
  const { rows } = await db.query<{ id: string }>(
    `select id from app.users where email = 'manager@fulcrum.local' and role = 'manager'`,
  );
  const managerId = rows[0]?.id ?? null;
  for (const user of users) {
    signal.throwIfAborted();
    const step = stepOf(user);
    const known = await db.query(`select from app.demo_steps where step = $1`, [step]);
    if (known.rowCount > 0) continue;
    const createdAt = new Date(now - user.joinedDaysAgo * dayMs);
    const draft = {
      ...{ email: emailOf(user), username: user.username, role: user.role, phoneNumber: null },
      managerId: user.managed ? managerId : null,
      initialBalance: user.balance === null ? null : parseDecimal(user.balance),
      passwordHash: null,
      walletOpenedAt: createdAt,
    };
    try {
      await insertUser(db, draft, createdAt, {
        after: async (tx, { id }) => {
          await recordStep(tx, step);
          if (user.seenHoursAgo === null) return;
          const seenAt = new Date(now - user.seenHoursAgo * hourMs);
          await tx.query(`update app.users set last_login = $2 where id = $1`, [id, seenAt]);
        },
      });
    } catch (error) {
      // A visitor has that name: their account stays, and this one is not made.
      if (!(error instanceof IdentityError)) throw error;
      log.warn({ username: user.username, reason: error.reason }, 'a user of the demo could not be made');
    }
  }
}

export const stepOf = ({ username }: Pick<UserScript, 'username'>): string => `user ${username}`;

/** Users by username: those of the script that exist, as this demo made them. */
export async function findDemoUsers(
  db: DemoDependencies['db'],
): Promise<ReadonlyMap<string, { readonly id: string; readonly isUntouched: boolean }>> {
  const { rows } = await db.query<{ id: string; email: string; username: string; version: string | null }>(
    `select u.id, u.email, u.username, w.version from app.users u left join app.wallets w on w.user_id = u.id
     where u.email = any($1) and not exists (select from app.credentials c where c.user_id = u.id)`,
    [users.map(emailOf)],
  );
  return new Map(rows.map(({ id, username, version }) => [username, { id, isUntouched: version === '1' }]));
}

/** The trading of the users whom no group has traded for yet. */
export async function writeUserTrades(deps: DemoDependencies, signal: AbortSignal): Promise<void> {
  const known = await findDemoUsers(deps.db);
  const waiting = users
    .map((user, slot) => ({ user, slot, id: known.get(user.username)?.id ?? '' }))
    .filter(({ user }) => user.activity > 0 && known.get(user.username)?.isUntouched);
  await writeTradesOf(
    deps,
    waiting.map(({ user, slot, id }) => ({ id, trades: tradesOf(user, slot), open: openOf(user, slot) })),
    userTradeDays,
    signal,
  );
}

/** An account that trades in the past. */
interface PastTrader {
  readonly id: string;
  readonly trades: readonly TradeScript[];
  readonly open: readonly OpenScript[];
}

/** Their trades reach back so many days. */
export async function writeTradesOf(
  deps: DemoDependencies,
  traders: readonly PastTrader[],
  days: number,
  signal: AbortSignal,
): Promise<void> {
  for (let first = 0; first < traders.length; first += groupSize) {
    await writeGroup(deps, traders.slice(first, first + groupSize), days, signal);
  }
}

async function writeGroup(
  { clock, market, trading }: DemoDependencies,
  members: readonly PastTrader[],
  days: number,
  signal: AbortSignal,
): Promise<void> {
  const now = clock.now();
  const begin = now - (days + 1) * dayMs;
  const bars = createPastBars(market);
  const hours = createHours(bars, begin, now);
  const intents: Intent[] = [];
  for (const { id, trades, open } of members) {
    for (const script of trades) {
      const pair = market.pair(script.symbol);
      const plan = pair && pickTrade(script, await hours.list(script.symbol), { now, until: now - hourMs });
      if (plan) intents.push(...intentsOfTrade(id, plan, pair));
    }
    for (const script of open) {
      const pair = market.pair(script.symbol);
      const plan = pair && pickOpen(script, await hours.list(script.symbol), now);
      if (plan) intents.push(intentOfOpen(id, plan, pair));
    }
  }
  const past = await trading.beginPast(
    members.map(({ id }) => id),
    begin,
  );
  const until = Math.floor(now / minuteMs) * minuteMs;
  await play({ past, intents, bars, hours: hours.byOpening, grain: '5m', until, signal });
  await past.write(async () => undefined);
}
