/** One line of an entry's text without its Markdown marks: a hint of its content, not a rendering. */
const marks: readonly (readonly [RegExp, string])[] = [
  [/!?\[([^\]]*)\]\((?:[^()]|\([^()]*\))*\)/gu, '$1'],
  [/^[ \t]*(?:#{1,6}|>|[-*+]|\d{1,9}[.)])[ \t]+/gmu, ''],
  [/^[ \t]*(?:`{3,}|~{3,}).*$/gmu, ''],
  [/^[ \t]*(?:[-*_][ \t]*){3,}$/gmu, ''],
  [/(\*\*|__|\*|`)(?=\S)([^*_`\n]*[^\s*_`])\1/gu, '$2'],
];
/** More than any row shows. */
const mostChars = 240;
/** The length of the text that is parsed. */
const readChars = 1_000;

export function toExcerpt(content: string): string {
  const plain = marks.reduce(
    (text, [mark, replacement]) => text.replace(mark, replacement),
    content.slice(0, readChars),
  );
  return plain.replaceAll(/\s+/gu, ' ').trim().slice(0, mostChars).toWellFormed();
}
