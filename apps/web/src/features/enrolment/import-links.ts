/**
 * The links of the imports of this tab, which no one can read a second time. They outlive the page that shows them, until the admin dismisses
 * them or signs out. Invariants: a link stays with its import, and the browser asks before it closes a tab with links that were not downloaded.
 */
import { create } from 'zustand';
import { onUserGone } from '../../shared/session/index.ts';
import type { ImportedRow } from './queries.ts';

export interface ImportLinks {
  readonly importId: string;
  readonly fileName: string;
  /** The newest link of each email. */
  readonly links: ReadonlyMap<string, string>;
  /** Whether a file of all these links was made. */
  readonly isDownloaded: boolean;
}

interface State {
  /** The newest import first. */
  readonly imports: readonly ImportLinks[];
  /** The imports whose answers are on their way. */
  readonly running: readonly string[];
}

const empty: State = { imports: [], running: [] };
export const useImportLinks = create<State>(() => empty);

/** Marks an import as running, until the returned function is called. Answers that arrive later add no links. */
export function beginImport(importId: string): () => void {
  useImportLinks.setState(({ running }) => ({ running: [...running, importId] }));
  return () =>
    useImportLinks.setState(({ running }) => ({ running: running.filter((one) => one !== importId) }));
}

export function addLinks(
  importId: string,
  fileName: string,
  rows: readonly Pick<ImportedRow, 'email' | 'link'>[],
): void {
  const { imports, running } = useImportLinks.getState();
  // The admin has signed out meanwhile.
  if (!running.includes(importId)) return;
  const fresh = rows.flatMap(({ email, link }) => (link === null ? [] : [[email, link] as const]));
  if (fresh.length === 0) return;
  const before = imports.find((one) => one.importId === importId);
  const links = new Map([...(before?.links ?? []), ...fresh]);
  const now = { importId, fileName, links, isDownloaded: false };
  useImportLinks.setState({
    imports: before ? imports.map((one) => (one === before ? now : one)) : [now, ...imports],
  });
}

export const markDownloaded = (importId: string): void =>
  useImportLinks.setState(({ imports }) => ({
    imports: imports.map((one) => (one.importId === importId ? { ...one, isDownloaded: true } : one)),
  }));

export const dismissLinks = (importId: string): void =>
  useImportLinks.setState(({ imports }) => ({
    imports: imports.filter((one) => one.importId !== importId),
  }));

onUserGone(() => useImportLinks.setState(empty));

/** Whether closing the tab loses links, or stops an import half-way. */
const losesLinks = ({ imports, running }: State): boolean =>
  running.length > 0 || imports.some(({ isDownloaded }) => !isDownloaded);

const askBeforeUnload = (event: BeforeUnloadEvent) => event.preventDefault();
useImportLinks.subscribe((state, before) => {
  if (losesLinks(state) === losesLinks(before)) return;
  if (losesLinks(state)) addEventListener('beforeunload', askBeforeUnload);
  else removeEventListener('beforeunload', askBeforeUnload);
});
