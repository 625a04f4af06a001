/** Balances, positions, leverage, trades and income of the key's account. */
export const accountRoutes = [] as const;
