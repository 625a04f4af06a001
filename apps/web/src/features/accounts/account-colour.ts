/**
 * The colour of an account, the same in every tab and on every device, so that nobody trades in the wrong one. The main account
 * has none. No colour looks like a profit, a loss, or the accent, which marks an impersonation.
 */
const colours = [2, 3, 5, 6, 7] as const;

/** A CSS colour. */
export function getAccountColour(accountId: string): string {
  let sum = 0;
  for (const letter of accountId) sum = (sum * 31 + letter.charCodeAt(0)) % 65_521;
  return `var(--holding-${colours[sum % colours.length]})`;
}
