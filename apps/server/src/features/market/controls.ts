/**
 * What staff control in the market: held prices, the replay, shocks of simulated prices. Invariants: an action has a reason and
 * is in the audit log before it takes effect; none is possible during impersonation (`features/staff/actions`).
 */
import {
  AppError,
  type acceptPrice,
  type getMarketControls,
  type rejectPrice,
  type SignedIn,
  type setReplay,
  type shockPrice,
  texts,
} from '@fulcrum/contract';
import { toDecimalString, toNumber } from '@fulcrum/domain';
import type { z } from 'zod';
import type { Services } from '../../platform/services.ts';
import { type AuditEntry, recordAuditEntry, requireReason } from '../audit/index.ts';
import type { JumpView } from './feeds/replay/index.ts';
import type { HeldPrice } from './hub.ts';
import { type ProcedureDependencies, requireListedIn } from './procedures.ts';
import { readActiveShocks, writeShock } from './simulation-store.ts';

const describeHeld = ({ symbol, kind, price, source, last }: HeldPrice) => ({
  symbol,
  kind,
  price: toNumber(price),
  source,
  last_price: toNumber(last.price),
  last_source: last.source,
});

type ArgsOf<P extends { readonly args: z.ZodType }> = z.output<P['args']>;
type HeldArgs = ArgsOf<typeof acceptPrice | typeof rejectPrice>;
type ResultOf<P extends { readonly result: z.ZodType }> = z.output<P['result']>;

interface ControlDependencies
  extends Pick<ProcedureDependencies, 'hub' | 'isListed' | 'running'>,
    Pick<Services, 'db' | 'timers'> {}

export function createControls(deps: ControlDependencies) {
  const { db, timers, hub, running } = deps;
  const requireListed = requireListedIn(deps);

  const toEntry = (
    { userId: actorId }: SignedIn,
    entry: Pick<AuditEntry, 'action' | 'reason' | 'detail'>,
  ): AuditEntry => ({ at: new Date(timers.now()), actorId, subjectId: null, ...entry });

  /** Symbols with a running decision on a held price or a recorded jump: each is decided once, and audited once. */
  const underDecision = new Set<string>();
  async function withDecision<R>(symbol: string, decide: () => Promise<R>): Promise<R> {
    underDecision.add(symbol);
    try {
      return await decide();
    } finally {
      underDecision.delete(symbol);
    }
  }

  /**
   * Decides about the price of the audit log, whatever has come meanwhile.
   * @throws AppError `reason_required`, `unknown_symbol`, `not_found` when no price of it is held back, `conflict` for another one
   */
  async function decideHeld(
    caller: SignedIn,
    args: HeldArgs,
    action: 'price.accept' | 'price.reject',
    decide: (held: HeldPrice) => void,
  ): Promise<ResultOf<typeof acceptPrice>> {
    const { p_symbol: symbol, p_price: expectedPrice } = args;
    const reason = requireReason(args.p_reason);
    requireListed(symbol);
    const held = hub.holds().find((hold) => hold.symbol === symbol);
    if (!held || underDecision.has(symbol)) throw new AppError('not_found', texts.noPriceHeld(symbol));
    const price = toNumber(held.price);
    if (expectedPrice != null && expectedPrice !== price) {
      throw new AppError('conflict', texts.otherPriceHeld(symbol, toDecimalString(held.price)));
    }
    await withDecision(symbol, async () => {
      await recordAuditEntry(db, toEntry(caller, { action, reason, detail: describeHeld(held) }));
      decide(held);
    });
    return { symbol, price };
  }

  /** @throws AppError `not_found` when it waits at no jump, `conflict` for another one, and while another decision runs */
  function requireJump(jump: JumpView | null, { p_symbol, p_at }: ArgsOf<typeof setReplay>): JumpView {
    const isExpected = p_at == null || (jump !== null && Date.parse(p_at) === Date.parse(jump.at));
    if (p_symbol != null && jump !== null && p_symbol !== jump.symbol)
      throw new AppError('conflict', texts.noSuchJump);
    if (!isExpected || (jump !== null && underDecision.has(jump.symbol)))
      throw new AppError('conflict', texts.changedMeanwhile);
    if (jump === null) throw new AppError('not_found', texts.noSuchJump);
    return jump;
  }

  return {
    async get_market_controls(): Promise<ResultOf<typeof getMarketControls>> {
      const { replay } = running().configured;
      const shocks = await readActiveShocks(db, timers.now());
      return {
        holds: hub
          .holds()
          .map((hold) => ({ ...describeHeld(hold), since: new Date(hold.since).toISOString() })),
        replay: replay?.controls() ?? null,
        shocks: shocks.map(({ symbol, percent, halfLifeMinutes, at }) => ({
          symbol,
          percent,
          half_life_minutes: halfLifeMinutes,
          at: new Date(at).toISOString(),
        })),
      };
    },

    /** A106, and where a symbol in use gets another source. Where the market has confirmed it by itself, it is done. */
    accept_price: (caller: SignedIn, args: HeldArgs) =>
      decideHeld(caller, args, 'price.accept', (held) => hub.acceptHeld(held)),

    /** Drops the price that is held back (A106). */
    reject_price: (caller: SignedIn, args: HeldArgs) =>
      decideHeld(caller, args, 'price.reject', (held) => hub.rejectHeld(held)),

    /** @throws AppError `not_allowed` while no recording plays, `not_found` and `conflict` for a jump that it does not wait at */
    async set_replay(caller: SignedIn, args: ArgsOf<typeof setReplay>): Promise<ResultOf<typeof setReplay>> {
      const { p_paused, p_speed, p_jump } = args;
      const reason = requireReason(args.p_reason);
      const { replay } = running().configured;
      if (!replay) throw new AppError('not_allowed', texts.notReplaying);
      if (p_speed != null && replay.speedMax !== undefined && p_speed > replay.speedMax)
        throw new AppError('invalid_argument', `A recording plays at most at ${replay.speedMax}x here.`);
      const change = {
        ...(p_paused != null && { paused: p_paused }),
        ...(p_speed != null && { speed: p_speed }),
      };
      const controls = replay.controls();
      const jump = p_jump == null ? null : requireJump(controls.jump, args);
      const before = { paused: controls.paused, speed: controls.speed };
      const decided = jump && { jump: { ...jump, decision: p_jump } };
      const detail = { before, after: { ...before, ...change }, ...decided };
      const action = toEntry(caller, { action: 'replay.set', reason, detail });
      const set = async () => {
        await recordAuditEntry(db, action);
        const { paused, speed } = replay.set({ ...change, ...(p_jump != null && { atJump: p_jump }) });
        await replay.store?.();
        return { paused, speed };
      };
      // No other decision runs meanwhile, so it still waits there.
      return jump ? await withDecision(jump.symbol, set) : await set();
    },

    /**
     * A repeated client id moves nothing.
     * @throws AppError `unknown_symbol`, `not_allowed` for a price that is not simulated, `idempotency_conflict`
     */
    async shock_price(
      caller: SignedIn,
      args: ArgsOf<typeof shockPrice>,
    ): Promise<ResultOf<typeof shockPrice>> {
      const { p_symbol: symbol, p_percent: percent, p_half_life_minutes, p_client_id: clientId } = args;
      const reason = requireReason(args.p_reason);
      requireListed(symbol);
      const { feed, shock } = running().configured;
      if (!shock || feed.sourceOf(symbol) !== 'simulated') {
        throw new AppError('not_allowed', texts.notSimulated(symbol));
      }
      const newShock = { symbol, percent, at: timers.now(), halfLifeMinutes: p_half_life_minutes ?? null };
      const detail = { symbol, percent, half_life_minutes: newShock.halfLifeMinutes };
      const action = toEntry(caller, { action: 'price.shock', reason, detail });
      const by = clientId == null ? null : { adminId: caller.userId, clientId };
      const written = await db.transaction((tx) => writeShock(tx, newShock, action, by));
      if (written === 'new') shock(newShock);
      const { at } = written === 'new' ? newShock : written;
      return { symbol, percent, at: new Date(at).toISOString() };
    },
  };
}
