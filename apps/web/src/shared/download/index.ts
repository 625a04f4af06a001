/** Downloads data created or fetched in the browser as a file. */

/** The time until the object URL is revoked; the browser has started the download by then. */
const revokeAfterMs = 60_000;

/** Characters that file systems refuse or that would form a path. */
const unsafeCharacters = /[^\p{L}\p{N}._-]+/gu;
export const toFileName = (name: string): string => name.replace(unsafeCharacters, '_');

export const downloadText = (name: string, text: string, type: string): void =>
  downloadFile(name, new Blob([text], { type: `${type};charset=utf-8` }));

export function downloadFile(name: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = toFileName(name);
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), revokeAfterMs);
}

/** `20261121`, in the user's zone (A78). */
export const formatDayStamp = (at: Date): string =>
  [at.getFullYear(), at.getMonth() + 1, at.getDate()].map((part) => `${part}`.padStart(2, '0')).join('');
