/** What somebody types to find a person: an id, or a part of a username or email. Both forms are for parameters of a statement. */

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
export const isId = (text: string): boolean => uuid.test(text);

/** For `lower(username) like` and `email like` (emails are stored in small letters); it holds no wildcards of the typist's. */
export const partPattern = (text: string): string => `%${text.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`;

const shape = '00000000-0000-0000-0000-000000000000';
/** As many characters of an id as pages show. */
const shortId = 8;

/** The ids that begin as the text does, from and to, both included; null for what is too short or no beginning of an id. */
export function idsBeginningWith(text: string): readonly [from: string, to: string] | null {
  const rest = shape.slice(text.length);
  if (text.length < shortId || !isId(text + rest)) return null;
  return [text + rest, text + rest.replaceAll('0', 'f')];
}
