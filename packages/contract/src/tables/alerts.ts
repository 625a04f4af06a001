/** Alerts of a trader. */
import { alertDirections, alertKinds, alertStates } from '@fulcrum/domain';
import { bool, int, nullable, numeric, oneOf, text, timestamp, uuid } from '../columns.ts';
import { ofAccount, ownOfKey, type Table } from './table.ts';

/** Read as rows, written by the procedures of `procedures/alerts.ts`. */
export const alerts = {
  name: 'alerts',
  columns: {
    /** The client makes it, so that a repeated request is the same alert; else the server does. */
    id: uuid,
    user_id: uuid,
    kind: oneOf(...alertKinds),
    symbol: text,
    /** Of `roe` and `liquidation`. */
    position_id: nullable(uuid),
    /** A price of the pair, else per cent. */
    level: numeric,
    /** Of the price, of its change or of the ROE; a distance to liquidation falls. */
    direction: oneOf(...alertDirections),
    /** Of `change`. */
    window_minutes: nullable(int),
    /**
     * Whether it fires again: a price each time it is crossed, a change once per window, a position's alert when the
     * position changes.
     */
    repeats: bool,
    state: oneOf(...alertStates),
    /** How often it has fired. */
    crossings: int,
    fired_at: nullable(timestamp),
    fired_price: nullable(numeric),
    created_at: timestamp,
    updated_at: timestamp,
  },
  key: ['id'],
  ...ofAccount,
  relations: [],
  access: { trader: ownOfKey },
  realtime: true,
} as const satisfies Table;
