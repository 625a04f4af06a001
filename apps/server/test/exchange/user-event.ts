/** Events of the user data stream as they stand on the wire. */
import type { Row, UserEvent } from './sdk-suite.ts';

/** Null for one that the suite does not read. */
export function toUserEvent({ e, o, a }: Row): UserEvent | null {
  if (e === 'ORDER_TRADE_UPDATE')
    return { kind: 'order', clientId: o.c, execution: o.x, status: o.X, lastPrice: o.L, realized: o.rp };
  if (e !== 'ACCOUNT_UPDATE') return null;
  return {
    kind: 'account',
    wallet: a.B[0]?.wb,
    positions: a.P.map(({ s, pa, ep }: Row) => ({ symbol: s, amount: pa, entry: ep })),
  };
}
