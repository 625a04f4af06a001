/** A refusal of the domain as the error that a client sees: the texts of the specification and of A101, with figures. */
import { AppError, positionNotFound, texts } from '@fulcrum/contract';
import { formatFixed, MONEY_DECIMALS, type Refusal } from '@fulcrum/domain';

/** Money in texts has two decimals (RULE-36); what is compared is exact (A16). */
const usdt = (amount: bigint): string => formatFixed(amount, MONEY_DECIMALS);

export function refusalError(refusal: Refusal): AppError {
  switch (refusal.code) {
    case 'unknown_symbol':
      return new AppError(refusal.code, texts.unknownSymbol(refusal.symbol));
    case 'side_invalid':
      return new AppError(refusal.code, texts.sideInvalid);
    case 'leverage_invalid':
      return new AppError(refusal.code, texts.leverageInvalid);
    case 'amount_out_of_range': {
      const { min, max, step } = refusal.range;
      return new AppError(refusal.code, texts.amountOutOfRange(min, max, step));
    }
    case 'market_closed':
      return new AppError(refusal.code, texts.marketClosed);
    case 'no_price':
      return new AppError(refusal.code, texts.noCurrentPrice(refusal.symbol));
    case 'price_stale':
      return new AppError(refusal.code, texts.priceStale);
    case 'price_moved': {
      const { seen, market, decimals } = refusal;
      return new AppError(
        refusal.code,
        texts.priceMoved(formatFixed(seen, decimals), formatFixed(market, decimals)),
      );
    }
    case 'amount_too_small':
      return new AppError(refusal.code, texts.amountTooSmall);
    case 'insufficient_balance':
      return new AppError(
        refusal.code,
        texts.insufficientBalance(usdt(refusal.required), usdt(refusal.available)),
      );
    case 'account_restricted':
      return new AppError(refusal.code, texts.accountRestricted);
    case 'position_not_found':
      return positionNotFound();
    case 'position_closed':
      return new AppError(refusal.code, texts.positionAlreadyClosed);
  }
}
