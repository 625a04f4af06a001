/**
 * Ids of rows with a high insert rate: random UUIDs whose first three digits are those of the hour, so that rows written
 * together are close in every index. A commit then touches the same few pages whatever the size of the table. With fully
 * random ids each row touches another page, and after a checkpoint the log contains each page whole. The UUIDs are of
 * version 8 (RFC 9562), whose content the application defines.
 *
 * The prefix is the hour and not the millisecond of version 7: pages show the first eight digits of an id, and users find a
 * position by them. An hour's prefix repeats after 171 days.
 */
import { randomUUID } from 'node:crypto';
import { hourMs } from '@fulcrum/domain';

const hourDigits = 3;

/** `now` in ms since the epoch. */
export function idOfHour(now: number): string {
  const hour = Math.floor(now / hourMs) % 16 ** hourDigits;
  const random = randomUUID();
  return `${hour.toString(16).padStart(hourDigits, '0')}${random.slice(hourDigits, 14)}8${random.slice(15)}`;
}
