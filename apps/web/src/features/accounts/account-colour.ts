/**
 * The colour of an account, the same in every tab and on every device, so that nobody trades in the wrong one. The main account
 * has none. The first token is the accent, which marks an impersonation.
 */
const first = 2;
const colours = 9;

/** A CSS colour. */
export function getAccountColour(accountId: string): string {
  let sum = 0;
  for (const letter of accountId) sum = (sum * 31 + letter.charCodeAt(0)) % 65_521;
  return `var(--holding-${first + (sum % colours)})`;
}
