/** Ids as staff type them: the whole id, or its beginning. */
import { isUuid } from '@fulcrum/domain';

const shape = '00000000-0000-0000-0000-000000000000';
/** As many characters of an id as pages show. */
const shortId = 8;

/** The ids that begin as the text does, from and to, both included; null for what is too short or no beginning of an id. */
export function idsBeginningWith(text: string): readonly [from: string, to: string] | null {
  const rest = shape.slice(text.length);
  if (text.length < shortId || !isUuid(text + rest)) return null;
  return [text + rest, text + rest.replaceAll('0', 'f')];
}
