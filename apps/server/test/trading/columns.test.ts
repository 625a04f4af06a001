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
import { engineWrite } from '../../src/features/trading/engine/write.ts';
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
  ['wallet', walletColumns],
  ['position', positionColumns],
  ['order', orderColumns],
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
    [`app.${kind}_write${engineWrite.replace('engine_write', '')}`],
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
