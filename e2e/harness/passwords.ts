/** Passwords of the demo's accounts, and of every trader that a journey registers. */
export const demoPassword = 'fulcrum-demo';
export const traderPassword = 'first-trade';
