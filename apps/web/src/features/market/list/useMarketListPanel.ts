/**
 * Decides whether the market list is shown beside the trading screen's chart. It fits from 1280 px on. By default it
 * is shown from 1680 px on, where the chart still has by far the largest width. The browser stores the user's choice.
 */
import { setPreference, usePreference } from '../../../shared/preferences/index.ts';
import { useMediaQuery } from '../../../shared/ui/index.ts';

interface MarketListPanel {
  /** Narrower screens have only the pair selector. */
  readonly hasRoom: boolean;
  readonly isShown: boolean;
  readonly toggle: () => void;
}

export function useMarketListPanel(): MarketListPanel {
  const choice = usePreference('marketList');
  const hasRoom = useMediaQuery('(min-width: 1280px)');
  const hasRoomToSpare = useMediaQuery('(min-width: 1680px)');
  const isShown = hasRoom && (choice === 'auto' ? hasRoomToSpare : choice === 'shown');
  return { hasRoom, isShown, toggle: () => setPreference('marketList', isShown ? 'hidden' : 'shown') };
}
