/**
 * The colour of an account, the same in every tab and on every device, so that nobody trades in the wrong one. The main account
 * has none. No colour looks like a profit, a loss, or the accent, which marks an impersonation.
 */
const colours = [2, 3, 5, 6, 7] as const;

/** A CSS colour, by the first digits of the account's id, which is random. */
export const getAccountColour = (accountId: string): string =>
  `var(--holding-${colours[Number.parseInt(accountId.slice(0, 8), 16) % colours.length]})`;
