/** The zone that an argument `p_time_zone` names. */
import { AppError } from '@fulcrum/contract';
import { type Zone, zoneOf } from '@fulcrum/domain';

/** @throws AppError invalid_argument for a zone that this runtime does not know */
export function requireZone(name: string, procedure: string): Zone {
  try {
    return zoneOf(name);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new AppError('invalid_argument', 'Invalid argument p_time_zone: not a time zone', {
      details: procedure,
      hint: 'An IANA name, such as Europe/Berlin',
    });
  }
}
