/**
 * Invariants of what holding a net position costs (A113). As in `soundness.ts` they run in production and share no code with the
 * decisions: the instants are counted again, and each rate is bounded instead of computed.
 */
import { UNIT } from '../money.ts';
import { dayMs, hourMs } from '../time.ts';
import type { Command, MarketContext } from './commands.ts';
import type { Effects, PositionChange } from './effects.ts';
import { assert, sumOf } from './invariant.ts';

/** What a position may pay or receive at one instant, as one part in so many of its value: 0.01 %, and 40 % a year. */
const mostOfValue = { funding: 10_000n, financing: 900n } as const;

/** Due instants up to `at`, since the epoch. */
const instantsUntil = (kind: 'funding' | 'financing', at: number): number =>
  kind === 'funding' ? Math.floor(at / (8 * hourMs)) : Math.floor((at + 3 * hourMs) / dayMs);

/** Only `fund` books funding and financing, each instant once, and changes nothing else of the position but what that costs it. */
export function assertFunded(
  command: Command,
  effects: Effects,
  { now, market }: Pick<MarketContext, 'now' | 'market'>,
): void {
  if (command.kind !== 'fund') {
    for (const { before, after } of effects.positions) {
      assert(after.funding === (before?.funding ?? 0n), `position ${after.id} is funded by its own command`);
      assert(
        before === null || after.fundedAt === before.fundedAt,
        `position ${after.id} is funded until when it was`,
      );
    }
    return;
  }
  const [change, ...others] = effects.positions;
  const groups = effects.ledger.filter(({ kind }) => kind === 'funding' || kind === 'financing');
  assert(change !== undefined && others.length === 0, 'one position is funded');
  assert(groups.length === effects.ledger.length, 'only funding is booked');
  assert(effects.orders.length + effects.executions.length === 0, 'nothing trades for funding');
  if (change) assertOneFunded(change, groups, now, market);
}

function assertOneFunded(
  { before, after }: PositionChange,
  groups: Effects['ledger'],
  now: number,
  market: MarketContext['market'],
): void {
  const { id, symbol, size, margin, funding, fundedAt } = after;
  const quote = market.quote(symbol);
  const kind = market.pair(symbol)?.type === 'crypto' ? 'funding' : 'financing';
  assert(before !== null && fundedAt !== null && fundedAt <= now, `position ${id} is funded until now`);
  assert(quote !== undefined && !quote.held, `position ${id} is funded at a known price`);
  if (!before || fundedAt === null || !quote) return;
  const instants = instantsUntil(kind, fundedAt) - instantsUntil(kind, before.fundedAt ?? before.createdAt);
  assert(instants > 0, `position ${id} is funded once an instant`);
  assert(
    instantsUntil(kind, fundedAt - 1) < instantsUntil(kind, fundedAt),
    `position ${id} is funded when due`,
  );
  assert(groups.length <= instants, `position ${id} pays once an instant`);
  // The value is rounded, and each amount.
  const most = (quote.price * size) / UNIT / mostOfValue[kind] + 2n;
  for (const group of groups) {
    const booked = sumOf(group.entries, ({ account, amount }) => (account === 'house:funding' ? amount : 0n));
    assert(group.kind === kind && group.sourceId === id, `group ${group.id} is that of position ${id}`);
    assert(booked <= most && booked >= -most, `group ${group.id} books no more than an instant costs`);
  }
  const { liquidationPrice, marginWarned, version, accountVersion, updatedAt } = after;
  const isSame = Object.entries({
    ...{ ...before, margin, funding, fundedAt, liquidationPrice, marginWarned },
    ...{ version, accountVersion, updatedAt },
  }).every(([field, value]) => after[field as keyof typeof after] === value);
  assert(isSame && margin <= before.margin, `position ${id} is what it was, but for its margin`);
}
