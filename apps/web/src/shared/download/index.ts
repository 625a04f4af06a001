/** Hands what was made or fetched here to the browser as a file. */

/** How long the browser may take to begin; the text is freed after that. */
const freeAfterMs = 60_000;

/** What no file system takes, and what would make a path of a name. */
const unsafe = /[^\p{L}\p{N}._-]+/gu;
export const fileNameOf = (name: string): string => name.replace(unsafe, '_');

export const downloadText = (name: string, text: string, type: string): void =>
  downloadFile(name, new Blob([text], { type: `${type};charset=utf-8` }));

export function downloadFile(name: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = fileNameOf(name);
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), freeAfterMs);
}

/** `20261121`, in the reader's zone (A78). */
export const dayStamp = (at: Date): string =>
  [at.getFullYear(), at.getMonth() + 1, at.getDate()].map((part) => `${part}`.padStart(2, '0')).join('');
