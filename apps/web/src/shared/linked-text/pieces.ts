/**
 * A message as text with links in it. Pure. Only `http:` and `https:` addresses that are spelled out become links, and what
 * stands on the screen is what is gone to: an address with characters that hide or turn text round stays text, one with a
 * name before `@` too, and one whose name is not in plain letters is shown in the form that the network uses. Everything
 * else of a message is text, whatever it looks like.
 */
export type Piece =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'link'; readonly text: string; readonly href: string };

/** At most so many links of one message. */
const linksMax = 20;
const hrefMax = 2_000;

const candidates = /https?:\/\/[^\s<>"'`\\^{|}]+/giu;
/** Turns the direction of what follows by force. */
const overrides = /[\u202a-\u202e\u2066-\u2069]/gu;
const deceptive = /[\p{Cf}\p{Cc}\p{Co}]/u;
const trailing = /[.,;:!?…'"*_~\])}>]$/u;

/** Characters that would show the rest of the text in another order stand as a mark that can be seen. */
export const legible = (text: string): string => text.replace(overrides, '\ufffd');

const count = (text: string, one: string): number => text.split(one).length - 1;

/** The address without the punctuation of the sentence around it; a closing bracket stays when its pair is inside. */
function trimmed(candidate: string): string {
  let address = candidate;
  while (trailing.test(address)) {
    const isPaired =
      (address.endsWith(')') && count(address, '(') >= count(address, ')')) ||
      (address.endsWith(']') && count(address, '[') >= count(address, ']'));
    if (isPaired) return address;
    address = address.slice(0, -1);
  }
  return address;
}

function linkOf(address: string): Piece | null {
  if (address.length > hrefMax || deceptive.test(address) || !URL.canParse(address)) return null;
  const { protocol, username, password, hostname, href } = new URL(address);
  if (protocol !== 'http:' && protocol !== 'https:') return null;
  // `https://fulcrum.example@elsewhere` goes elsewhere.
  if (username !== '' || password !== '' || !hostname.includes('.')) return null;
  const isPlain = /^[\u0021-\u007e]+$/.test(address.split('/')[2] ?? '');
  return { kind: 'link', text: isPlain ? address : href, href };
}

export function piecesOf(content: string): readonly Piece[] {
  const pieces: Piece[] = [];
  let done = 0;
  let links = 0;
  for (const { 0: candidate, index } of content.matchAll(candidates)) {
    const address = trimmed(candidate);
    const link = links < linksMax ? linkOf(address) : null;
    if (link === null) continue;
    links += 1;
    if (index > done) pieces.push({ kind: 'text', text: legible(content.slice(done, index)) });
    pieces.push(link);
    done = index + address.length;
  }
  if (done < content.length) pieces.push({ kind: 'text', text: legible(content.slice(done)) });
  return pieces;
}
