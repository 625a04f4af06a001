/**
 * A day of prices through the real engine, on which traders attempt challenges, and the verdicts computed again: from the ledger, the executions and
 * every tick, without the code of the domain. The verdict has to be that of the first instant that decides, with the same arithmetic.
 */
import { randomUUID } from 'node:crypto';
import {
  asFeeRate,
  asMoney,
  asPercent,
  asPrice,
  asSize,
  dayMs,
  MAX_LEVERAGE,
  type MarketView,
  parseDecimal,
  toDecimalString,
} from '@fulcrum/domain';
import { openLockedAccount } from '../../src/features/accounts/index.ts';
import { catalogue } from '../../src/features/market/catalogue/index.ts';
import { writePairs } from '../../src/features/market/store.ts';
import { Engine } from '../../src/features/trading/engine/engine.ts';
import { defaultLimits } from '../../src/features/trading/engine/limits.ts';
import { createPostgresStores } from '../../src/features/trading/engine/postgres-store.ts';
import { createBus } from '../../src/platform/bus/index.ts';
import { createManualClock } from '../../src/platform/clock/index.ts';
import type { Queryable } from '../../src/platform/database/index.ts';
import { type TestDatabase, testLog } from '../harness/index.ts';
import {
  type AuditedStep,
  dayOf,
  endStepDay,
  judgeStep,
  type StepFigures,
  type StepVerdict,
  stepBegins,
} from '../simulation/audited-step.ts';
import { pnlOf } from '../simulation/formulas.ts';
import { createChance } from '../simulation/random.ts';
import { insertTrader } from '../trading/database-engine.ts';

export interface DayTick {
  /** Ms since the epoch; the equity book takes more than 5 s without a sweep for a gap. */
  readonly at: number;
  readonly symbol: string;
  readonly price: bigint;
}

/** As the rules of a challenge have it; per cent as text. */
export interface AttemptedStep {
  readonly targetPct: number;
  readonly dailyLoss: { pct: number; of: string; from: string; countsOpen: boolean; checked: string } | null;
  readonly maxLoss: { pct: number; mode: string; lockPct: number | null };
  readonly consistencyPct: number | null;
  readonly daysMin: number;
}

const startBalance = 10_000;
const sweepsEveryMs = 2_000;
const units = (text: string | number): bigint => parseDecimal(String(text));

export interface PlayedDay {
  readonly accountIds: readonly string[];
  /** At which the market was; each has an instant of its own. */
  readonly ticks: readonly DayTick[];
}

/** One trader for each step; they open and close at random until they are judged. */
export async function playDay(
  db: TestDatabase,
  { steps, ticks, seed }: { steps: readonly AttemptedStep[]; ticks: Iterable<DayTick>; seed: number },
): Promise<PlayedDay> {
  await writePairs(db, catalogue);
  const chance = createChance(seed);
  const pairs = new Map(catalogue.map((pair) => [pair.symbol, pair]));
  const prices = new Map<string, bigint>();
  const market: MarketView = {
    pair: (symbol) => pairs.get(symbol),
    quote: (symbol) => {
      const price = prices.get(symbol);
      return price === undefined
        ? undefined
        : { price: asPrice(price), stale: false, held: false, marketOpen: true };
    },
  };
  const all = [...ticks];
  const begin = (all[0]?.at ?? 0) - 1_000;
  const clock = createManualClock(begin);
  const accountIds: string[] = [];
  for (const step of steps) accountIds.push(await addAttempt(db, step, begin));
  const terms = {
    rules: 'standard',
    feeRate: asFeeRate(0n),
    leverageMax: MAX_LEVERAGE,
    fillProfile: 'exact',
  };
  const engine = new Engine({
    store: createPostgresStores(db, testLog, 1, terms as never)[0],
    ...{ clock, bus: createBus(testLog), log: testLog, newId: randomUUID, rules: 'standard' },
    ...{ priceTolerance: asPercent(units('1')), limits: defaultLimits, marketAt: () => market },
  });
  await engine.start();
  const open = new Map<string, { readonly id: string; readonly symbol: string }>();
  const give = async (accountId: string, command: Parameters<Engine['submit']>[1]) => {
    clock.advance(1);
    const [{ owner } = { owner: '' }] = (
      await db.query<{ owner: string }>('select owner_id as owner from app.trading_accounts where id = $1', [
        accountId,
      ])
    ).rows;
    const of = { accountId, ownerId: owner, actorId: owner, authority: null, reason: null };
    const answer = await engine.submit(of, command, null).catch(() => null);
    await engine.idle();
    return answer && String(answer.id);
  };
  async function trade(accountId: string, symbol: string): Promise<void> {
    const position = open.get(accountId);
    if (position) {
      open.delete(accountId);
      await give(accountId, { kind: 'close', positionId: position.id, size: null, reason: 'manual' });
      return;
    }
    const pair = pairs.get(symbol);
    const price = prices.get(symbol);
    if (!pair || price === undefined) return;
    // Floors are met long before a liquidation, which is nine per cent away.
    const value = units(startBalance) * BigInt(3 + chance.below(5));
    const size = (value * 100_000_000n) / price;
    const id = await give(accountId, {
      ...{ kind: 'open', symbol, side: chance.happens(0.5) ? 'BUY' : 'SELL', leverage: 10 },
      ...{ size: asSize(size - (size % pair.stepSize)), expectedPrice: null },
      ...{ takeProfitPrice: null, stopLossPrice: null },
    });
    if (id) open.set(accountId, { id, symbol });
  }
  const seen: DayTick[] = [];
  for (const { at, symbol, price } of all) {
    while (clock.now() + sweepsEveryMs < at) {
      clock.advance(sweepsEveryMs);
      engine.sweep();
      await engine.idle();
    }
    clock.set(Math.max(clock.now() + 1, at));
    prices.set(symbol, price);
    seen.push({ at: clock.now(), symbol, price });
    engine.tick(symbol);
    await engine.idle();
    if (chance.happens(0.05)) await trade(chance.pick(accountIds), symbol);
  }
  await engine.stop();
  return { accountIds, ticks: seen };
}

async function addAttempt(db: TestDatabase, step: AttemptedStep, at: number): Promise<string> {
  const { userId } = await insertTrader(db, '0');
  const rules = {
    ...{ v: 1, startBalance, ruleSet: 'standard', leverageMax: 10, symbols: null, positionsMax: null },
    ...{ attemptsMax: 1, steps: [{ ...step, daysMax: null }] },
  };
  const [opens, ends] = [at - dayMs, at + 30 * dayMs].map((instant) => new Date(instant));
  const rows = await db.asOwner(
    `insert into app.programs (face, name, description, registration_opens_at, registration_ends_at, begins_at, ends_at, rules, created_by, created_at, updated_at)
     values ('challenge', $1, '', $2, $3, $2, $3, $4, $5, $2, $2) returning id`,
    [randomUUID(), opens, ends, JSON.stringify(rules), userId],
  );
  return openLockedAccount(
    db,
    { tradingFeeRate: 0n },
    {
      ownerId: userId,
      belonging: { kind: 'challenge', programId: String(rows[0]?.id), number: 1, attempt: 1, step: 1 },
      terms: { name: 'Step', rules: 'standard', leverageMax: 10, startBalance: String(startBalance) },
      at: new Date(at),
    },
  );
}

// The audit

export interface StoredVerdict {
  readonly outcome: string;
  readonly rule: string | null;
  /** Ms since the epoch. */
  readonly at: number;
  readonly marks: Readonly<Record<string, { readonly price: string }>>;
  readonly arithmetic: unknown;
}
interface Change {
  readonly at: number;
  readonly amount: bigint;
}
interface Fill {
  readonly at: number;
  readonly position: string;
  readonly symbol: string;
  readonly side: 'BUY' | 'SELL';
  readonly size: bigint;
  readonly price: bigint;
  readonly opens: boolean;
  readonly margin: bigint;
}
export interface JudgedAccount {
  readonly step: AttemptedStep;
  readonly began: number;
  /** Of the account in the ledger, and its fills, without what its verdict closed; oldest first. */
  readonly changes: readonly Change[];
  readonly fills: readonly Fill[];
  /** Null while the step goes on. */
  readonly verdict: StoredVerdict | null;
}

const ms = (column: string): string => `(extract(epoch from ${column}) * 1000)::float8`;

export async function readJudged(db: Queryable, accountId: string): Promise<JudgedAccount> {
  const read = async <Row>(text: string): Promise<Row[]> =>
    (await db.query<Row & object>(text, [accountId])).rows;
  const [of] = await read<{ step: AttemptedStep; began: number }>(
    `select p.rules -> 'steps' -> (a.program_step - 1) as step, ${ms('a.created_at')} as began
     from app.trading_accounts a join app.programs p on p.id = a.program_id where a.id = $1`,
  );
  if (!of) throw new Error('no attempt');
  const [verdict = null] = await read<StoredVerdict>(
    `select outcome, rule, ${ms('decided_at')} as at, marks, arithmetic from app.program_verdicts where account_id = $1`,
  );
  const changes = await read<{ at: number; amount: string }>(
    `select ${ms('l.created_at')} as at, sum(l.amount)::text as amount from app.ledger_entries l
     left join app.positions p on p.id = l.source_id and p.close_reason = 'program_end' and l.kind = 'close'
     where l.user_id = $1 and l.account like 'user:%' and p.id is null group by l.created_at order by l.created_at`,
  );
  const fills = await read<
    Omit<Fill, 'size' | 'price' | 'margin'> & Record<'size' | 'price' | 'margin', string>
  >(
    `select ${ms('e.created_at')} as at, e.position_id as position, e.symbol, e.side, e.size::text, e.price::text,
            e.realized_pnl is null as opens,
            (select coalesce(sum(l.amount), 0)::text from app.ledger_entries l
             where l.user_id = e.user_id and l.source_id = e.position_id and l.kind = 'open' and l.account = 'user:margin') as margin
     from app.executions e join app.positions p on p.id = e.position_id
     where e.user_id = $1 and (e.realized_pnl is null or p.close_reason <> 'program_end') order by e.created_at`,
  );
  return {
    ...of,
    verdict,
    changes: changes.map(({ at, amount }) => ({ at, amount: units(amount) })),
    fills: fills.map((fill) => ({
      ...fill,
      ...{ size: units(fill.size), price: units(fill.price), margin: units(fill.margin) },
    })),
  };
}

const toStep = ({ targetPct, dailyLoss, maxLoss, consistencyPct, daysMin }: AttemptedStep): AuditedStep => ({
  ...{ targetPct: units(targetPct), daysMin },
  dailyLoss: dailyLoss && { ...dailyLoss, pct: units(dailyLoss.pct) },
  maxLoss: {
    ...{ pct: units(maxLoss.pct), mode: maxLoss.mode },
    lockPct: maxLoss.lockPct === null ? null : units(maxLoss.lockPct),
  },
  consistencyPct: consistencyPct === null ? null : units(consistencyPct),
});

interface Found extends StepVerdict {
  readonly at: number;
  readonly marks: ReadonlyMap<string, bigint | undefined>;
}

/** The first instant that decides, by every tick; null where none does. */
export function firstVerdict(
  { step: stored, began, changes, fills }: JudgedAccount,
  ticks: readonly DayTick[],
) {
  const step = toStep(stored);
  const last = new Map<string, bigint>();
  const past = stepBegins(units(startBalance), began, began - dayMs + 31 * dayMs);
  /** As it was at an instant; `before`: without what happened in it. */
  const standing = (at: number, isBefore: boolean) => {
    const isPast = (one: { readonly at: number }): boolean => (isBefore ? one.at < at : one.at <= at);
    const balance = changes.filter(isPast).reduce((sum, { amount }) => sum + amount, 0n);
    const done = fills.filter(isPast);
    const open = done.filter(
      (fill) => fill.opens && !done.some(({ opens, position }) => !opens && position === fill.position),
    );
    const equity = open.reduce((sum, { side, size, price: entry, symbol, margin }) => {
      const pnl = pnlOf('standard', { side, entry, size, leverage: 1 }, last.get(symbol) ?? entry);
      return sum + (pnl < -margin ? -margin : pnl);
    }, balance);
    const days = new Set(done.flatMap(({ opens, at: opened }) => (opens ? [dayOf(opened)] : [])));
    return { at, balance, equity, days: days.size, symbols: open.map(({ symbol }) => symbol) };
  };
  const judged = (at: number, { isBefore = false, endsDay = false } = {}): Found | null => {
    const now = standing(at, isBefore);
    if (now.equity > past.peak) past.peak = now.equity;
    const verdict = judgeStep(step, past, { ...now, endsDay });
    return (
      verdict && { ...verdict, at, marks: new Map(now.symbols.map((symbol) => [symbol, last.get(symbol)])) }
    );
  };
  const trades = [...new Set(fills.map(({ at }) => at))];
  for (const tick of ticks) {
    while (trades[0] !== undefined && trades[0] < tick.at) {
      const found: Found | null = judged(trades.shift() ?? 0);
      if (found !== null) return found;
    }
    const midnight = dayOf(tick.at);
    if (midnight > dayOf(past.day.begins)) {
      const found = judged(midnight, { isBefore: true, endsDay: true });
      if (found) return found;
      const { balance, equity } = standing(midnight, true);
      endStepDay(past, midnight, balance, equity);
    }
    last.set(tick.symbol, tick.price);
    if (!standing(tick.at, true).symbols.includes(tick.symbol)) continue;
    const found = judged(tick.at, { isBefore: true });
    if (found) return found;
  }
  return null;
}

const asText = (figures: StepFigures): unknown =>
  JSON.parse(
    JSON.stringify(figures, (_, value: unknown) =>
      typeof value === 'bigint' ? toDecimalString(asMoney(value)) : value,
    ),
  );

/** What differs between the stored verdict and the first one by every tick; null where both agree. */
export function findDifference(account: JudgedAccount, ticks: readonly DayTick[]): string | null {
  const { verdict } = account;
  const found = firstVerdict(account, ticks);
  const stored = verdict && {
    ...{ at: verdict.at, outcome: verdict.outcome, rule: verdict.rule, figures: verdict.arithmetic },
    marks: Object.fromEntries(Object.entries(verdict.marks).map(([symbol, { price }]) => [symbol, price])),
  };
  const computed = found && {
    ...{ at: found.at, outcome: found.outcome, rule: found.rule, figures: asText(found.figures) },
    marks: Object.fromEntries(
      [...found.marks].map(([symbol, price]) => [symbol, toDecimalString(asPrice(price ?? 0n))]),
    ),
  };
  const [expected, actual] = [computed, stored].map((one) => sorted(one));
  return expected === actual ? null : `should be ${expected}, is ${actual}`;
}

/** Objects with their fields in order: jsonb has an order of its own. A floor that is locked follows no peak any more, so which one it had followed is left out. */
const sorted = (value: unknown): string =>
  JSON.stringify(value, (_, of: unknown) => {
    if (of === null || typeof of !== 'object' || Array.isArray(of)) return of;
    const isLocked = 'locked' in of && of.locked === true;
    const fields = Object.entries(of).filter(([name]) => !isLocked || name !== 'from');
    return Object.fromEntries(fields.sort(([a], [b]) => (a < b ? -1 : 1)));
  });
