/**
 * The trading account of this page, as its address names it (A112): `/a/<account id>/trading` is the trading screen of that
 * account, `/trading` that of the main account. So two tabs hold two accounts, a reload keeps the account, and every link in the
 * page stays in it. A page has one account for its life: another one is another load.
 */
/** As `/a/<uuid>`, at the start of a path. */
const pattern = /^\/a\/([\da-f-]{36})(?=\/|$)/i;

/** The account in a path, in lower case; null for the main account. */
export const parseAccountId = (pathname: string): string | null =>
  pattern.exec(pathname)?.[1]?.toLowerCase() ?? null;

/** The path of a page of an account; null is the main account. */
export const toAccountPath = (accountId: string | null, path: string): string =>
  accountId === null ? path : `/a/${accountId}${path}`;

/** The account of this page; null for the main account. */
export const getAddressedAccount = (): string | null => parseAccountId(location.pathname);

/** What all paths of this page begin with, as its address writes it; '' for the main account. */
export const getBasePath = (): string => pattern.exec(location.pathname)?.[0] ?? '';

/** Shows `path` in an account by a load of its own, so that nothing of the former account stays in the page. */
export const openAccount = (accountId: string | null, path: string): void =>
  location.assign(toAccountPath(accountId, path));
