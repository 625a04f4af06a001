/** Ids of accounts besides the main one. */
import { randomUUID } from 'node:crypto';

/** A random id in the slot of the owner: the last byte is the owner's, so one engine has all accounts of a user. */
export const newAccountId = (ownerId: string): string => `${randomUUID().slice(0, -2)}${ownerId.slice(-2)}`;
