import { expect, test } from 'vitest';
import { findDone, parseFirstSteps } from './first-steps.ts';

test('first steps: what was done once stays done, and damaged storage counts as nothing', () => {
  const now = { leverage: false, amount: true, position: false, stop: false };
  expect(findDone(['leverage'], now)).toEqual(['leverage', 'amount']);
  expect(parseFirstSteps('{"done":["amount","gone"],"isDismissed":true,"isBegun":true}')).toEqual({
    done: ['amount'],
    isDismissed: true,
    isBegun: true,
  });
  for (const text of [null, '7', '{"done":', '{"done":5}']) {
    expect(parseFirstSteps(text)).toEqual({ done: [], isDismissed: false, isBegun: false });
  }
});
