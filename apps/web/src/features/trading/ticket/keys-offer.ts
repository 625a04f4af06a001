/** Offers the trading keys once, after the third order of this browser, to a user with a keyboard who has them off. */
import { getPreferences, type Preferences, setPreference } from '../../../shared/preferences/index.ts';
import { showToast } from '../../../shared/ui/index.ts';

const offerAfter = 3;

/** Whether the next order is the one after which the keys are offered. */
export const isOfferDue = (
  { placedOrders, pageKeys, tradingKeys }: Pick<Preferences, 'placedOrders' | 'pageKeys' | 'tradingKeys'>,
  hasKeyboard: boolean,
): boolean => placedOrders + 1 === offerAfter && hasKeyboard && pageKeys && !tradingKeys;

/** Counts an accepted order. That there is a keyboard is a guess from the pointer. */
export function countPlacedOrder(): void {
  const before = getPreferences();
  if (before.placedOrders >= offerAfter) return;
  setPreference('placedOrders', before.placedOrders + 1);
  if (!isOfferDue(before, matchMedia('(hover: hover) and (pointer: fine)').matches)) return;
  showToast('info', 'Orders can be placed by keys', {
    description: 'Press ? to see the trading keys, to change them and to switch them on.',
    id: 'trading-keys',
  });
}
