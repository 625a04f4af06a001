/**
 * Splits a message into text and links. Pure. Only spelled-out `http:` and `https:` addresses become links, and the visible
 * text is the link's target: an address with hidden or direction-changing characters stays text, and so does one with a name
 * before `@`. A host name with non-ASCII letters is shown in its ASCII form. Everything else stays text.
 */
export type Piece =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'link'; readonly text: string; readonly href: string };

/** The maximum number of links in a message. */
const linksMax = 20;
const hrefMax = 2_000;

const candidates = /https?:\/\/[^\s<>"'`\\^{|}]+/giu;
/** Characters that force the direction of the following text. */
const bidiControls = /[\u202a-\u202e\u2066-\u2069]/gu;
const deceptive = /[\p{Cf}\p{Cc}\p{Co}]/u;
const trailingPunctuation = /[.,;:!?…'"*_~\])}>]$/u;

/** Replaces characters that would reorder the following text with a visible mark. */
export const replaceBidiControls = (text: string): string => text.replace(bidiControls, '\ufffd');

const count = (text: string, one: string): number => text.split(one).length - 1;

/** The address without surrounding punctuation; a closing bracket stays when its pair is inside. */
function trimPunctuation(candidate: string): string {
  let address = candidate;
  while (trailingPunctuation.test(address)) {
    const isPaired =
      (address.endsWith(')') && count(address, '(') >= count(address, ')')) ||
      (address.endsWith(']') && count(address, '[') >= count(address, ']'));
    if (isPaired) return address;
    address = address.slice(0, -1);
  }
  return address;
}

function toLink(address: string): Piece | null {
  if (address.length > hrefMax || deceptive.test(address) || !URL.canParse(address)) return null;
  const { protocol, username, password, hostname, href } = new URL(address);
  if (protocol !== 'http:' && protocol !== 'https:') return null;
  // `https://fulcrum.example@elsewhere` leads to `elsewhere`.
  if (username !== '' || password !== '' || !hostname.includes('.')) return null;
  const isPlain = /^[\u0021-\u007e]+$/.test(address.split('/')[2] ?? '');
  return { kind: 'link', text: isPlain ? address : href, href };
}

export function splitLinks(content: string): readonly Piece[] {
  const pieces: Piece[] = [];
  let done = 0;
  let links = 0;
  for (const { 0: candidate, index } of content.matchAll(candidates)) {
    const address = trimPunctuation(candidate);
    const link = links < linksMax ? toLink(address) : null;
    if (link === null) continue;
    links += 1;
    if (index > done) pieces.push({ kind: 'text', text: replaceBidiControls(content.slice(done, index)) });
    pieces.push(link);
    done = index + address.length;
  }
  if (done < content.length) pieces.push({ kind: 'text', text: replaceBidiControls(content.slice(done)) });
  return pieces;
}
