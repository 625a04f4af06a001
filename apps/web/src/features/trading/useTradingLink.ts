/**
 * What a link to the trading screen asks for beside its pair: `?symbol=BTCUSDT&tf=4h&ticket=limit&price=58000`. It sets the chart's
 * timeframe and fills the order form; it never sends an order. The parameters leave the address once they are applied, so that a
 * reload does not fill the form again. What is invalid is ignored.
 */
import { useEffect, useEffectEvent } from 'react';
import { useSearchParams } from 'react-router';
import { changeChart, parseTimeframe } from '../market/index.ts';
import type { Ticket } from './ticket/useTicket.ts';

const names = ['tf', 'ticket', 'price'] as const;
const pricePattern = /^\d{1,12}(\.\d{1,12})?$/;

export function useTradingLink(ticket: Ticket, showForm: () => void): void {
  const [search, setSearch] = useSearchParams();
  // The page first writes its pair to the address; in the same flush it would restore what leaves the address here.
  const isReady = names.some((name) => search.has(name)) && search.get('symbol') === ticket.pair.symbol;
  const apply = useEffectEvent(() => {
    const timeframe = parseTimeframe(search.get('tf') ?? '');
    if (timeframe !== null) changeChart(ticket.pair.symbol, { timeframe });
    const type = ticket.offeredTypes.find((one) => one === search.get('ticket')?.toUpperCase());
    const text = search.get('price') ?? '';
    const price = pricePattern.test(text) ? text : null;
    if (type !== undefined) {
      ticket.dispatch({ type: 'orderType', orderType: type, price: price ?? '' });
      if (type !== 'MARKET' && price !== null) ticket.dispatch({ type: 'set', field: 'price', text: price });
      showForm();
    }
    setSearch(
      (before) => {
        const next = new URLSearchParams(before);
        for (const name of names) next.delete(name);
        return next;
      },
      { replace: true },
    );
  });
  useEffect(() => {
    if (isReady) apply();
  }, [isReady]);
}
