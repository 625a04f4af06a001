/** The parts of the trading page, each loaded when it is first shown. */
import type { MissingProps } from '../../shared/code/lazy-code.tsx';
import { lazyPart } from '../../shared/code/lazy-part.tsx';
import { ErrorState } from '../../shared/ui/index.ts';

const Missing = (props: MissingProps) => <ErrorState title="This part failed to load" {...props} />;

export const OrderBook = lazyPart(() => import('./OrderBook.tsx'), Missing);
export const NetOrder = lazyPart(() => import('./NetOrder.tsx'), Missing);
export const LadderDialog = lazyPart(() => import('./LadderDialog.tsx'), Missing);
export const Fills = lazyPart(() => import('./Fills.tsx'), Missing);
