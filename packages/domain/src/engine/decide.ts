/**
 * The engine's core: applies a command to an account, as a pure function. The caller (the server's engine, a
 * simulator, a replay) writes the effects, all or none, before it answers.
 */

import { decideAdjust } from './adjust.ts';
import { decideAmend } from './amend.ts';
import { decideCancel } from './cancel.ts';
import { decideClose } from './close.ts';
import { decideCloseAtReopen } from './close-at-reopen.ts';
import { decideCloseOut, marketOfMarks } from './close-out.ts';
import {
  type Command,
  type ConditionTerms,
  type Context,
  type Decision,
  type MarketContext,
  type NetOrderTerms,
  refuse,
} from './commands.ts';
import { decideDelete } from './delete.ts';
import { decideEdit } from './edit.ts';
import { decideFill } from './fill.ts';
import { decideFund } from './fund.ts';
import { assertFunded } from './funding-soundness.ts';
import { decideJudge } from './judge.ts';
import { endedRefusal } from './limits.ts';
import { decideNetOpen, decideNetReverse } from './net-clicks.ts';
import { transitRefusal } from './net-latency.ts';
import { decideLeverage, decideMargin } from './net-margin.ts';
import {
  decideExpire,
  decideFollow,
  decideNetAmend,
  decideNetFill,
  decideNetPlace,
} from './net-order-commands.ts';
import { decideOpen } from './open.ts';
import { ownLimitRefusal } from './own-limits.ts';
import { decidePlace } from './place.ts';
import { decideProtect } from './protect.ts';
import { decideReset } from './reset.ts';
import { decideRestrict } from './restrict.ts';
import { decideReverse } from './reverse.ts';
import { assertOffset, assertPriced, assertSound } from './soundness.ts';
import { decideTrigger } from './trigger.ts';
import type { Account } from './types.ts';

/** The commands that a `perpetual` account decides otherwise: those that trade a net position. Null for all others. */
function decideNet(account: Account, command: Command, context: Context): Decision | null {
  switch (command.kind) {
    case 'open':
    case 'close':
    case 'reverse':
    case 'amend':
    case 'cancel': {
      const transit = transitRefusal(account, command, context);
      if (transit) return refuse(transit);
    }
  }
  switch (command.kind) {
    case 'open':
      return decideNetOpen(account, command, context);
    case 'place':
      return decideNetPlace(
        account,
        { ...command, leverage: command.leverage ?? account.leverageOf(command.symbol) },
        context,
      );
    case 'fill':
      return decideNetFill(account, command, context);
    case 'expire':
      return decideExpire(account, command, context);
    case 'follow':
      return decideFollow(account, command, context);
    case 'amend':
      return decideNetAmend(account, command, context);
    case 'reverse':
      return decideNetReverse(account, command, context);
    case 'set_leverage':
      return decideLeverage(account, command, context);
    case 'adjust_margin':
      return decideMargin(account, command, context);
    case 'fund':
      return decideFund(account, command, context);
    case 'edit':
      return refuse({ code: 'net_position_fixed' });
    default:
      return null;
  }
}

/** Another account would ignore what they ask for; it has orders of a position that reduce it, and no other ones. */
function hasNetTerms(command: NetOrderTerms & ConditionTerms): boolean {
  const {
    timeInForce,
    reduceOnly = false,
    quoteId,
    triggerPrice,
    trailRate,
    closePosition,
    expiresAt,
  } = command;
  const isOfPosition = (command.boundPositionId ?? null) !== null;
  return (
    (timeInForce ?? 'GTC') !== 'GTC' ||
    (reduceOnly && !isOfPosition) ||
    closePosition === true ||
    [quoteId, triggerPrice, trailRate, expiresAt].some((term) => (term ?? null) !== null)
  );
}

function decideBy(account: Account, command: Command, context: Context): Decision {
  const ended = endedRefusal(command, context);
  if (ended) return refuse(ended);
  const net = context.rules === 'perpetual' ? decideNet(account, command, context) : null;
  if (net) return net;
  if ((command.kind === 'open' || command.kind === 'place') && hasNetTerms(command)) {
    return refuse({ code: 'not_perpetual' });
  }
  switch (command.kind) {
    case 'set_leverage':
    case 'adjust_margin':
    case 'expire':
    case 'follow':
    case 'fund':
      return refuse({ code: 'not_perpetual' });
    case 'open':
      return decideOpen(account, command, context);
    case 'place':
      return command.leverage === null
        ? refuse({ code: 'leverage_invalid' })
        : decidePlace(account, { ...command, leverage: command.leverage }, context);
    case 'fill':
      return decideFill(account, command, context);
    case 'cancel':
      return decideCancel(account, command, context);
    case 'amend':
      return decideAmend(account, command, context);
    case 'protect':
      return decideProtect(account, command, context);
    case 'close':
      return decideClose(account, command, context);
    case 'reverse':
      return decideReverse(account, command, context);
    case 'close_at_reopen':
      return decideCloseAtReopen(account, command, context);
    case 'trigger':
      return decideTrigger(account, command, context);
    case 'adjust':
      return decideAdjust(account, command, context);
    case 'edit':
      return decideEdit(account, command, context);
    case 'restrict':
      return decideRestrict(account, command, context);
    case 'reset':
      return decideReset(account, command, context);
    case 'close_out':
      return decideCloseOut(account, context);
    case 'judge':
      return decideJudge(account, command, context);
    case 'delete':
      return decideDelete(account, command, context);
  }
}

/**
 * @throws InvariantViolation when the decision would leave an unsound account; the caller must then write nothing of
 * it.
 */
export function decide(account: Account, command: Command, marketContext: MarketContext): Decision {
  const market =
    command.kind === 'close_out' || command.kind === 'judge'
      ? marketOfMarks(marketContext.market, command.marks)
      : marketContext.market;
  const { now } = marketContext;
  const ownLimit = () => ownLimitRefusal(account, command, { market, now });
  const context: Context = { ...marketContext, ...account.terms, market, ownLimit };
  const decision = decideBy(account, command, context);
  if (decision.outcome === 'accepted') {
    assertSound(account.wallet, decision.effects);
    assertOffset(account, decision.effects);
    assertPriced(command, decision.effects, context.market, context.fillProfile);
    assertFunded(command, decision.effects, context);
  }
  return decision;
}
