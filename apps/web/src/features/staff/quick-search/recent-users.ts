/**
 * The users that staff opened last. The browser stores ids only; the server resolves them each time and leaves out users whom
 * the caller no longer sees.
 */
import { isUuid } from '@fulcrum/domain';
import { log } from '../../../shared/log/log.ts';
import { getStored, setStored } from '../../../shared/storage/index.ts';

/** The maximum of ids in one request. */
const recentMax = 8;
const toStorageKey = (ownId: string): string => `fulcrum-staff-recent.${ownId}`;

export function recentUserIds(ownId: string): readonly string[] {
  const text = getStored(toStorageKey(ownId));
  if (text === null) return [];
  try {
    const ids: unknown = JSON.parse(text);
    if (!Array.isArray(ids)) return [];
    return ids.filter((id): id is string => typeof id === 'string' && isUuid(id)).slice(0, recentMax);
  } catch (cause) {
    log.warn('The recent users could not be read', cause);
    return [];
  }
}

/** Stores the visit; the latest comes first. */
export function recordVisit(ownId: string, id: string): void {
  const others = recentUserIds(ownId).filter((other) => other !== id);
  setStored(toStorageKey(ownId), JSON.stringify([id, ...others].slice(0, recentMax)));
}
