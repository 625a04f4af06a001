/**
 * Whether the market list stands beside the trading screen's chart. There is room for it from 1280 px on; left to itself it
 * shows from 1680 px on, where the chart stays the widest part by far. A choice is kept in this browser.
 */
import { prefer, usePreference } from '../../../shared/preferences/index.ts';
import { useMediaQuery } from '../../../shared/ui/index.ts';

interface MarketListPanel {
  /** Narrower screens have the pair selector alone. */
  readonly hasRoom: boolean;
  readonly isShown: boolean;
  readonly toggle: () => void;
}

export function useMarketListPanel(): MarketListPanel {
  const choice = usePreference('marketList');
  const hasRoom = useMediaQuery('(min-width: 1280px)');
  const hasRoomToSpare = useMediaQuery('(min-width: 1680px)');
  const isShown = hasRoom && (choice === 'auto' ? hasRoomToSpare : choice === 'shown');
  return { hasRoom, isShown, toggle: () => prefer('marketList', isShown ? 'hidden' : 'shown') };
}
