/** The parts of the trading page, each loaded when it is first shown. */
import { lazyPart, missingPart } from '../../shared/code/lazy-part.tsx';

const Missing = missingPart('This part failed to load');

export const OrderBook = lazyPart(() => import('./OrderBook.tsx'), Missing);
export const NetOrder = lazyPart(() => import('./NetOrder.tsx'), Missing);
export const LadderDialog = lazyPart(() => import('./LadderDialog.tsx'), Missing);
export const Fills = lazyPart(() => import('./Fills.tsx'), Missing);
export const loadExecutionMarks = () => import('./execution-marks.ts');
