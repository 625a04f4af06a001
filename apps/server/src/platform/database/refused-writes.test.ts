import { expect, test } from 'vitest';
import { isOverload } from './overload.ts';
import { refusedWrite } from './refused-writes.ts';

const failure = (code: string) => Object.assign(new Error('could not extend file "base/1/2"'), { code });

test.each([
  ['53100', 'No space left on device'],
  ['53200', 'it is out of memory'],
  ['53400', 'it is out of resources'],
  ['57P05', 'its operator intervenes'],
  ['58030', 'its disk reports an error'],
  ['58P01', 'its machine reports an error'],
  ['25006', 'it is read-only'],
  ['XX000', 'it reports an internal error'],
  ['XX001', 'its data is damaged'],
])('ENG-6: SQLSTATE %s is no fault of the statement: %s', (code, reason) => {
  expect(refusedWrite(failure(code))).toMatchObject({ reason });
  expect(isOverload(failure(code))).toBe(true);
});

test('ENG-6: an internal error may be of one row alone, the others concern whatever is written', () => {
  const concernsAll = (code: string) => refusedWrite(failure(code))?.concernsAll;
  expect([concernsAll('53100'), concernsAll('25006'), concernsAll('58030')]).toEqual([true, true, true]);
  expect(concernsAll('XX001')).toBe(false);
});

test.each(['23505', '22003', '57014', '40001', 'ENOSPC', 'ECONNRESET', 'ZE001'])(
  'ENG-6: %s refuses no writes',
  (code) => expect(refusedWrite(failure(code))).toBeNull(),
);
