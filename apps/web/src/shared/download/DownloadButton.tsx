/** A button that makes or fetches a file and saves it. */
import Download from 'lucide-react/icons/download';
import type { ComponentType, ReactNode } from 'react';
import { Button } from '../ui/index.ts';
import { downloadText } from './index.ts';
import { useSaving } from './useSaving.ts';

interface DownloadButtonProps {
  /** The error without a reason of the server. */
  readonly failed: string;
  /** The name has its ending, which decides what it is: `.json` or `.csv`. Without a text there is no file, which is a failure. */
  readonly make: () => Promise<{ readonly name: string; readonly text: string | null | undefined }>;
  readonly Icon?: ComponentType<{ readonly size: number; readonly 'aria-hidden': true }>;
  readonly children: ReactNode;
}

const typeOf = (name: string): string => (name.endsWith('.csv') ? 'text/csv' : 'application/json');

export function DownloadButton({ failed, make, Icon = Download, children }: DownloadButtonProps) {
  const { save, pending } = useSaving(failed);
  const download = async () => {
    const { name, text } = await make();
    if (text == null) throw new Error(`There is no ${name}.`);
    downloadText(name, text, typeOf(name));
  };
  return (
    <Button size="compact" tone="quiet" onClick={() => save(download)} pending={pending}>
      {pending ? null : <Icon size={14} aria-hidden={true} />}
      {children}
    </Button>
  );
}
