/** Labels for the codes in the records. */
import type { Row } from '@fulcrum/contract/database';

type Entry = Row<'ledger_entries'>;

export const ledgerAccountLabels = {
  'user:cash': 'Cash',
  'user:margin': 'Margin',
  'user:order_margin': 'Order margin',
  'house:pnl': 'House, PnL',
  'house:fees': 'House, fees',
  'house:funding': 'House, funding',
  external: 'Outside',
  insurance: 'Insurance',
} as const satisfies Record<Entry['account'], string>;

export const entryKindLabels = {
  deposit: 'Deposit',
  withdrawal: 'Withdrawal',
  open: 'Position opened',
  close: 'Position closed',
  adjustment: 'Adjusted by staff',
  fee: 'Fee',
  reserve: 'Reserved for an order',
  release: 'Released from an order',
  split: 'Position split',
  increase: 'Position increased',
  margin: 'Margin moved',
  funding: 'Funding',
  financing: 'Financing',
} as const satisfies Record<Entry['kind'], string>;

export const transactionLabels = {
  deposit: 'Deposit',
  withdrawal: 'Withdrawal',
  position_closed: 'Position closed',
  fee: 'Fee',
  funding: 'Funding',
  financing: 'Financing',
} as const satisfies Record<Row<'transactions'>['type'], string>;

export const orderStatusLabels = {
  NEW: 'Waiting',
  PARTIALLY_FILLED: 'Partially filled',
  FILLED: 'Filled',
  REJECTED: 'Rejected',
  CANCELED: 'Canceled',
  EXPIRED: 'Expired',
} as const satisfies Record<Row<'orders'>['status'], string>;

/** The first characters of an id; the full id is in the tooltip. */
export const shortId = (id: string): string => id.slice(0, 8);
