/** Imports of the dialogs and of the parts of the trading page, in a module of its own, so that the lists of their chunks are not in the scripts of every page. */
export const loadReviewDialog = () => import('./ReviewDialog.tsx');
export const loadOrderWarnings = () => import('./OrderWarnings.tsx');
export const loadLiquidationChance = () => import('./LiquidationChance.tsx');
export const loadFirstStepsCard = () => import('./FirstStepsCard.tsx');
