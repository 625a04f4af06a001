/**
 * Slots of accounts: the last byte of the owner's id, so everything of one owner has one engine. `app.slot_of` computes the same in
 * SQL.
 */
export const slotCount = 256;
export const allSlots: readonly number[] = Array.from({ length: slotCount }, (_, slot) => slot);

/** The last byte of an account’s id is that of its owner’s. */
export const slotOf = (accountId: string): number => Number.parseInt(accountId.slice(-2), 16);
