/** The columns of the engine against PostgreSQL: the composite types of its write function, and their text form. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { orderColumns } from '../../src/features/trading/engine/columns/order.ts';
import { positionColumns } from '../../src/features/trading/engine/columns/position.ts';
import {
  answerColumns,
  equityColumns,
  ledgerEntryColumns,
  notificationColumns,
  totalsColumns,
  transactionColumns,
} from '../../src/features/trading/engine/columns/records.ts';
import { walletColumns } from '../../src/features/trading/engine/columns/wallet.ts';
import { createTestDatabase, type TestDatabase } from '../harness/index.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.close());

const nameOf: Readonly<Record<string, string>> = {
  int4: 'integer',
  int8: 'bigint',
  bool: 'boolean',
  timestamptz: 'timestamp with time zone',
};

test.each([
  ['wallet_write_v1', walletColumns],
  ['position_write_v1', positionColumns],
  ['order_write_v1', orderColumns],
  ['ledger_entry_write_v1', ledgerEntryColumns],
  ['transaction_write_v1', transactionColumns],
  ['notification_write_v1', notificationColumns],
  ['equity_write_v1', equityColumns],
  ['answer_write_v1', answerColumns],
  ['totals_write_v1', totalsColumns],
])('app.%s has the written columns, in their order', async (type, { written }) => {
  const { rows } = await db.query<{ name: string; type: string }>(
    `select attname as name, format_type(atttypid, atttypmod) as type
     from pg_attribute where attrelid = $1::regclass and attnum > 0 order by attnum`,
    [`app.${type}`],
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
    `select client_id, procedure, answer::json ->> 'text' as text from unnest($1::app.answer_write_v1[])`,
    [sent],
  );
  expect(rows).toEqual(texts.map((text) => ({ client_id: text, procedure: text, text })));
});
