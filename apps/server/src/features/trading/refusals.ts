/**
 * Converts a refusal of the domain to the client's error: the texts of the specification and of A101, with figures.
 */
import { AppError, texts } from '@fulcrum/contract';
import {
  type ConditionField,
  type EditableField,
  formatFixed,
  MONEY_DECIMALS,
  type Protection,
  type ProtectionFault,
  type Refusal,
  toDecimalString,
} from '@fulcrum/domain';
import { positionColumns } from './engine/columns/position.ts';

/** Money in texts has two decimals (RULE-36); comparisons are exact (A16). */
const usdt = (amount: bigint): string => formatFixed(amount, MONEY_DECIMALS);

/** A refusal that concerns an order and an edit has the same text (A101). */
const ordersTexts: Readonly<Partial<Record<EditableField, string>>> = {
  leverage: texts.leverageInvalid,
  side: texts.sideInvalid,
};

/** Names the bounds where there are any. */
function editValueText({ field, bounds }: Extract<Refusal, { code: 'edit_value_invalid' }>): string {
  const name = fieldNames[field];
  if (!bounds) return ordersTexts[field] ?? texts.editValueInvalid(name);
  const step = bounds.step === null ? null : toDecimalString(bounds.step);
  return texts.editValueOutOfBounds(name, toDecimalString(bounds.min), toDecimalString(bounds.max), step);
}

/** The field names of the Edit Position window. */
const fieldNames: Readonly<Record<EditableField, string>> = {
  entryPrice: 'Entry price',
  closePrice: 'Close price',
  size: 'Size',
  leverage: 'Leverage',
  side: 'Side',
  realizedPnl: 'Realized PnL',
  liquidationPrice: 'Liquidation price',
  createdAt: 'Open time',
  closedAt: 'Close time',
};
const protectionNames = {
  takeProfitPrice: 'Take profit',
  stopLossPrice: 'Stop loss',
} as const satisfies Record<keyof Protection, string>;

const conditionNames = {
  price: 'limit price',
  triggerPrice: 'trigger price',
  trailRate: 'trailing distance',
  closePosition: 'close of the whole position',
  size: 'amount of its own',
  protection: 'take profit or stop loss',
} as const satisfies Record<ConditionField, string>;

function ownLimitText(refusal: Extract<Refusal, { code: 'own_limit_reached' }>): string {
  const until = new Date(refusal.until);
  switch (refusal.limit) {
    case 'cool_down':
      return texts.ownCoolDown(until);
    case 'trades':
      return texts.ownTradesReached(refusal.max, until);
    case 'loss':
      return texts.ownLossReached(usdt(refusal.max), usdt(refusal.loss), until);
  }
}

export function refusalError(refusal: Refusal): AppError {
  switch (refusal.code) {
    case 'in_transit':
    case 'not_crossed':
    case 'not_due':
      // The refusals of the engine's own commands, which no client reads.
      return new AppError('conflict', texts.somethingWentWrong);
    case 'order_final':
      return new AppError(refusal.code, texts.orderFinal(refusal.status), { details: refusal.status });
    case 'changed_meanwhile':
      return new AppError(refusal.code, texts.changedMeanwhile, {
        details: JSON.stringify({
          expected_version: refusal.expectedVersion,
          current: positionColumns.toWire(refusal.current, undefined),
        }),
      });
    default:
      return new AppError(refusal.code, refusalText(refusal));
  }
}

/** Those whose error is more than their code and a text. */
type Special = 'in_transit' | 'not_crossed' | 'not_due' | 'order_final' | 'changed_meanwhile';

function refusalText(refusal: Exclude<Refusal, { code: Special }>): string {
  switch (refusal.code) {
    case 'unknown_symbol':
      return texts.unknownSymbol(refusal.symbol);
    case 'side_invalid':
      return texts.sideInvalid;
    case 'leverage_invalid':
      return texts.leverageInvalid;
    case 'leverage_capped':
      return texts.leverageCapped(refusal.max);
    case 'amount_out_of_range': {
      const { min, max, step } = refusal.range;
      return texts.amountOutOfRange(min, max, step);
    }
    case 'market_closed':
      return texts.marketClosed;
    case 'market_open':
      return texts.marketOpen;
    case 'no_price':
      return texts.noCurrentPrice(refusal.symbol);
    case 'price_stale':
      return texts.priceStale;
    case 'price_held':
      return texts.priceHeld(refusal.symbol);
    case 'price_moved': {
      const { seen, market, decimals } = refusal;
      return texts.priceMoved(formatFixed(seen, decimals), formatFixed(market, decimals));
    }
    case 'amount_too_small':
      return texts.amountTooSmall;
    case 'insufficient_balance':
      return texts.insufficientBalance(usdt(refusal.required), usdt(refusal.available));
    case 'too_many_open':
      return texts.tooManyOpen(refusal.what, refusal.max);
    case 'class_not_begun':
      return texts.classNotBegun(new Date(refusal.at));
    case 'class_over':
      return texts.classOver(new Date(refusal.at));
    case 'contest_not_begun':
      return texts.contestNotBegun(new Date(refusal.at));
    case 'contest_over':
      return texts.contestOver(new Date(refusal.at));
    case 'challenge_not_begun':
      return texts.challengeNotBegun(new Date(refusal.at));
    case 'challenge_over':
      return texts.challengeOver(new Date(refusal.at));
    case 'symbol_not_allowed':
      return texts.symbolNotAllowed(refusal.symbol, refusal.setBy);
    case 'own_limit_reached':
      return ownLimitText(refusal);
    case 'account_restricted':
      return texts.accountRestricted;
    case 'position_not_found':
      return texts.positionNotFound;
    case 'position_closed':
      return texts.positionAlreadyClosed;
    case 'order_type_invalid':
      return texts.orderTypeInvalid(refusal.types);
    case 'order_price_invalid': {
      const { min, max, tickSize } = refusal;
      return texts.orderPriceInvalid(toDecimalString(min), toDecimalString(max), toDecimalString(tickSize));
    }
    case 'stop_reached': {
      const { mustBe, market, decimals } = refusal;
      return texts.stopReached(mustBe, formatFixed(market, decimals));
    }
    case 'protection_invalid':
      return protectionText(refusal.fault, refusal.decimals);
    case 'order_not_found':
      return texts.orderNotFound;
    case 'reason_required':
      return texts.reasonRequired;
    case 'funds_amount_invalid':
      return texts.fundsAmountInvalid;
    case 'funds_beyond_available':
      return texts.fundsBeyondAvailable(usdt(refusal.available));
    case 'edit_value_invalid':
      return editValueText(refusal);
    case 'edit_field_of_closed':
      return texts.editFieldOfClosed(fieldNames[refusal.field]);
    case 'edit_exceeds_available':
      return texts.editExceedsAvailable(usdt(refusal.required), usdt(refusal.available));
    case 'edit_loss_beyond_margin':
      return texts.editLossBeyondMargin(usdt(refusal.margin));
    case 'edit_liquidation_price':
      return texts.editLiquidationPrice(toDecimalString(refusal.min), toDecimalString(refusal.max));
    case 'time_in_force_invalid':
      return texts.timeInForceInvalid;
    case 'expiry_invalid':
      return texts.expiryInvalid;
    case 'trigger_price_invalid': {
      const { min, max, tickSize } = refusal;
      return texts.triggerPriceInvalid(toDecimalString(min), toDecimalString(max), toDecimalString(tickSize));
    }
    case 'trigger_reached': {
      const { mustBe, market, decimals } = refusal;
      return texts.triggerReached(mustBe, formatFixed(market, decimals));
    }
    case 'trail_rate_invalid':
      return texts.trailRateInvalid;
    case 'condition_not_expected':
      return texts.conditionNotExpected(refusal.type, conditionNames[refusal.field]);
    case 'close_order_exists':
      return texts.closeOrderExists(refusal.symbol);
    case 'order_not_fillable':
      return texts.orderNotFillable(toDecimalString(refusal.size));
    case 'order_would_take':
      return texts.orderWouldTake(formatFixed(refusal.best, refusal.decimals));
    case 'nothing_to_reduce':
      return texts.nothingToReduce(refusal.symbol);
    case 'quote_changed':
      return texts.quoteChanged;
    case 'no_quote':
      return texts.noQuote(refusal.symbol);
    case 'position_too_large':
      return texts.positionTooLarge(refusal.leverage, usdt(refusal.max));
    case 'leverage_in_use':
      return texts.leverageInUse(refusal.symbol, refusal.leverage);
    case 'margin_amount_invalid':
      return texts.marginAmountInvalid;
    case 'margin_beyond_free':
      return texts.marginBeyondFree(usdt(refusal.free));
    case 'net_position_fixed':
      return texts.netPositionFixed;
    case 'not_perpetual':
      return texts.notPerpetual;
    case 'funds_unchanged':
      return texts.fundsUnchanged;
    case 'restriction_unchanged':
      return texts.restrictionUnchanged(refusal.restricted);
  }
}

function protectionText(fault: ProtectionFault, decimals: number): string {
  switch (fault.code) {
    case 'off_tick':
    case 'out_of_range': {
      const { which, min, max, tickSize } = fault;
      return texts.protectionInvalid(
        protectionNames[which],
        toDecimalString(min),
        toDecimalString(max),
        toDecimalString(tickSize),
      );
    }
    case 'take_profit_side':
      return texts.protectionSide('Take profit', fault.mustBe, formatFixed(fault.reference, decimals));
    case 'stop_loss_side':
      return texts.protectionSide('Stop loss', fault.mustBe, formatFixed(fault.reference, decimals));
    case 'stop_loss_beyond_liquidation':
      return texts.stopLossBeyondLiquidation(formatFixed(fault.liquidationPrice, decimals));
  }
}
