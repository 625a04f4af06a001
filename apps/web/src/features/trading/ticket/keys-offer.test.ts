import { expect, test } from 'vitest';
import { isOfferDue } from './keys-offer.ts';

const after = { placedOrders: 2, pageKeys: true, tradingKeys: false };

test.each([
  ['with the third order', after, true, true],
  ['not with the second', { ...after, placedOrders: 1 }, true, false],
  ['not with a later one', { ...after, placedOrders: 3 }, true, false],
  ['not on a phone', after, false, false],
  ['not where they are on', { ...after, tradingKeys: true }, true, false],
  ['not where shortcuts are off', { ...after, pageKeys: false }, true, false],
])('trading keys are offered %s', (_case, preferences, hasKeyboard, due) => {
  expect(isOfferDue(preferences, hasKeyboard)).toBe(due);
});
