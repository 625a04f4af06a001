/** Imports of the dialogs and of the warnings, in a module of its own, so that the lists of their chunks are not in the scripts of every page. */
export const loadReviewDialog = () => import('./ReviewDialog.tsx');
export const loadOrderWarnings = () => import('./OrderWarnings.tsx');
