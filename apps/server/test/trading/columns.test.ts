/** The columns of the engine against PostgreSQL: the composite types of its write function, and their text form. */
import type { FeeRate, Money, Position, Price, Size } from '@fulcrum/domain';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { StoredRow } from '../../src/features/trading/engine/columns/codec.ts';
import { orderColumns } from '../../src/features/trading/engine/columns/order.ts';
import { positionColumns } from '../../src/features/trading/engine/columns/position.ts';
import {
  answerColumns,
  equityColumns,
  executionColumns,
  ledgerEntryColumns,
  leverageColumns,
  notificationColumns,
  totalsColumns,
  transactionColumns,
} from '../../src/features/trading/engine/columns/records.ts';
import { walletColumns } from '../../src/features/trading/engine/columns/wallet.ts';
import { positionOf } from '../../src/features/trading/engine/rows.ts';
import { engineWrite } from '../../src/features/trading/engine/write.ts';
import { createTestDatabase, type TestDatabase } from '../harness/index.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.close());

/** The type of the written rows of that kind. */
const typeOf = (kind: string): string => `app.${kind}_write${engineWrite.replace('engine_write', '')}`;

const nameOf: Readonly<Record<string, string>> = {
  int4: 'integer',
  int8: 'bigint',
  bool: 'boolean',
  timestamptz: 'timestamp with time zone',
};

test.each([
  ['wallet', walletColumns],
  ['position', positionColumns],
  ['order', orderColumns],
  ['execution', executionColumns],
  ['leverage', leverageColumns],
  ['ledger_entry', ledgerEntryColumns],
  ['transaction', transactionColumns],
  ['notification', notificationColumns],
  ['equity', equityColumns],
  ['answer', answerColumns],
  ['totals', totalsColumns],
])('the type of a written %s has its columns, in their order', async (kind, { written }) => {
  const { rows } = await db.query<{ name: string; type: string }>(
    `select attname as name, format_type(atttypid, atttypmod) as type
     from pg_attribute where attrelid = $1::regclass and attnum > 0 order by attnum`,
    [typeOf(kind)],
  );
  expect(rows).toEqual(
    written.map((column) => ({ name: column.name, type: nameOf[column.type] ?? column.type })),
  );
});

test('any text is written as it is', async () => {
  const texts = [
    '',
    'NULL',
    '"',
    '\\',
    `a "b" \\"c\\\\`,
    '(1,2)',
    '{x,"y"}',
    ' blank ',
    "'quote'",
    'line\nbreak',
    'é 漢 🙂',
  ];
  const sent = answerColumns.toSql(
    texts.map((clientId) => ({
      key: { ownerId: crypto.randomUUID(), clientId, procedure: clientId, bodyHash: '00' },
      answer: { text: clientId },
    })),
  );
  const { rows } = await db.query(
    `select client_id, procedure, answer::json ->> 'text' as text from unnest($1::${typeOf('answer')}[])`,
    [sent],
  );
  expect(rows).toEqual(texts.map((text) => ({ client_id: text, procedure: text, text })));
});

test('an open and a closed position come back as they were written', async () => {
  const second = Date.UTC(2026, 10, 23, 16, 40);
  const open: Position = {
    id: crypto.randomUUID(),
    accountId: crypto.randomUUID(),
    symbol: 'BTCUSDT',
    side: 'BUY',
    entryPrice: 6_400_050_000_000n as Price,
    size: 1n as Size,
    leverage: 10,
    margin: 6_400_050_000n as Money,
    entryValue: null,
    liquidationPrice: 5_800_012_345_678n as Price,
    takeProfitPrice: null,
    stopLossPrice: null,
    initialStopLossPrice: null,
    rules: 'standard',
    feeRate: 0n as FeeRate,
    fees: 0n as Money,
    funding: 0n as Money,
    fundedAt: null,
    splitFrom: null,
    marginWarned: false,
    closeAtReopen: true,
    createdAt: second,
    updatedAt: second + 100,
    editedAt: null,
    closing: null,
    version: 1,
    accountVersion: 2 ** 53 - 1,
  };
  const closed: Position = {
    ...open,
    id: crypto.randomUUID(),
    side: 'SELL',
    takeProfitPrice: 6_000_000_000_000n as Price,
    stopLossPrice: 6_500_000_000_000n as Price,
    initialStopLossPrice: 6_600_000_000_000n as Price,
    splitFrom: open.id,
    marginWarned: true,
    closeAtReopen: false,
    updatedAt: second + 10,
    editedAt: second + 1,
    closing: {
      price: 6_500_000_000_000n as Price,
      priceSource: 'live',
      reason: 'stop_loss',
      realizedPnl: -1n as Money,
      at: second + 120,
    },
  };
  const positions = [open, closed];
  const { rows } = await db.query<{ stored: StoredRow; shown: StoredRow }>(
    `select ${positionColumns.select('p')} as stored, to_json(p) as shown
     from unnest($1::${typeOf('position')}[]) with ordinality as p order by ordinality`,
    [positionColumns.toSql(positions)],
  );
  expect(rows.map(({ stored }) => positionOf(stored))).toEqual(positions);
  // Of the announced row, what PostgreSQL shows of the same columns: figures, booleans, nulls and the text of each time.
  const written = positions.map((position) => {
    const { mark_price, unrealized_pnl, ...row } = positionColumns.toWire(position, undefined);
    return row;
  });
  expect(rows.map(({ shown }) => shown)).toMatchObject(written);
});
