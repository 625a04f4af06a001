/**
 * Whom somebody of staff looked at last. This browser keeps ids alone: who they are is asked of the server each time, which
 * leaves out whoever the looker does not reach any more.
 */
import { isUuid } from '@fulcrum/domain';
import { log } from '../../../shared/log/log.ts';
import { keep, kept } from '../../../shared/storage/index.ts';

/** As many as one question takes. */
const most = 8;
const keyOf = (me: string): string => `fulcrum-staff-recent.${me}`;

export function recentIds(me: string): readonly string[] {
  const text = kept(keyOf(me));
  if (text === null) return [];
  try {
    const ids: unknown = JSON.parse(text);
    if (!Array.isArray(ids)) return [];
    return ids.filter((id): id is string => typeof id === 'string' && isUuid(id)).slice(0, most);
  } catch (cause) {
    log.warn('Whom staff looked at last could not be read', cause);
    return [];
  }
}

/** The latest first. */
export function noteLookedAt(me: string, id: string): void {
  const others = recentIds(me).filter((other) => other !== id);
  keep(keyOf(me), JSON.stringify([id, ...others].slice(0, most)));
}
