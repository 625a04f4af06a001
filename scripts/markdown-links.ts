/**
 * Links between the documents of the repository: which of them lead nowhere.
 *
 * A relative link has to name a file of the tree, and its fragment an anchor of that document: a heading as GitHub names
 * it, or an element with that `id`. Links to other sites are not followed.
 */

export interface Document {
  /** From the root, with slashes. */
  readonly path: string;
  readonly source: string;
}

const fence = /^(?<mark>```+|~~~+)[\s\S]*?^\k<mark>/gm;
const inlineCode = /(?<mark>`+)[^`](?:[\s\S]*?[^`])?\k<mark>(?!`)/g;
const blank = (text: string): string => text.replace(/[^\n]/g, ' ');

const heading = /^#{1,6} +(?<title>.+?) *#*$/gm;
const elementId = /<[a-z]+ [^>]*\bid="(?<id>[^"]+)"/g;

/** The anchor of a heading: lower case, without punctuation, a hyphen for a space. */
export const toAnchor = (title: string): string =>
  title
    .replace(/\]\([^)]*\)|<[^>]+>/g, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_ -]/gu, '')
    .replaceAll(' ', '-');

/** Every anchor of a document; a heading that is repeated gets `-1`, `-2`. */
export function anchorsOf(source: string): Set<string> {
  const anchors = new Set<string>();
  const text = source.replace(fence, blank);
  for (const { groups } of text.matchAll(heading)) {
    const name = toAnchor(groups?.title ?? '');
    let anchor = name;
    for (let repeat = 1; anchors.has(anchor); repeat++) anchor = `${name}-${repeat}`;
    anchors.add(anchor);
  }
  for (const { groups } of text.matchAll(elementId)) if (groups?.id) anchors.add(groups.id);
  return anchors;
}

const inlineLink =
  /\]\((?<target>[^()\s]+)(?:\s+"[^"]*")?\)|<(?:a|img) [^>]*\b(?:href|src)="(?<source>[^"]+)"/g;
const isElsewhere = (target: string): boolean => /^[a-z][a-z\d+.-]*:|^\/\//i.test(target);

/** `docs/a.md` and `../b.md` are `b.md`; null above the root. */
function resolvePath(from: string, target: string): string | null {
  const parts = target.startsWith('/') ? [] : from.split('/').slice(0, -1);
  for (const part of target.split('/')) {
    if (part === '..' && parts.pop() === undefined) return null;
    if (part !== '' && part !== '.' && part !== '..') parts.push(part);
  }
  return parts.join('/');
}

/** One line for each link that leads nowhere. `exists` answers for files and folders of the tree. */
export function brokenLinks(documents: readonly Document[], exists: (path: string) => boolean): string[] {
  const anchors = new Map(documents.map(({ path, source }) => [path, anchorsOf(source)]));
  return documents.flatMap(({ path, source }) => {
    const text = source.replace(fence, blank).replace(inlineCode, blank);
    return [...text.matchAll(inlineLink)].flatMap((match) => {
      const target = match.groups?.target ?? match.groups?.source ?? '';
      if (isElsewhere(target)) return [];
      const [file = '', fragment] = target.split('#');
      const goal = file === '' ? path : resolvePath(path, decodeURI(file));
      const line = text.slice(0, match.index).split('\n').length;
      if (goal === null || !exists(goal)) return [`${path}:${line} links to ${target}, which does not exist`];
      const known = anchors.get(goal);
      if (fragment === undefined || known === undefined || known.has(decodeURI(fragment))) return [];
      return [`${path}:${line} links to ${target}, an anchor that ${goal} does not have`];
    });
  });
}
