/** The colours that a user gives to studies and drawings: tokens, so that each theme shows its own. */
export const inks = ['accent', 'series1', 'series2', 'warn', 'text'] as const;
export type Ink = (typeof inks)[number];
