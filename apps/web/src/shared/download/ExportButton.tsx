/** Saves a list of the admin console as a file, with the filter on the screen. */
import type { Database } from '@fulcrum/contract/database';
import Download from 'lucide-react/icons/download';
import { Button } from '../ui/index.ts';
import { useExport } from './useExport.ts';

interface ExportButtonProps {
  /** `users`, for the button's name and errors. */
  readonly what: string;
  readonly args: Database['public']['Functions']['export_list']['Args'];
  readonly className?: string;
}

export function ExportButton({ what, args, className = '' }: ExportButtonProps) {
  const { isExporting, exportAll } = useExport(what);
  return (
    <Button
      size="compact"
      className={className}
      aria-label={`Export ${what}`}
      pending={isExporting}
      onClick={() => void exportAll({ procedure: 'export_list', args })}
    >
      {isExporting ? null : <Download size={14} aria-hidden="true" />}
      Export
    </Button>
  );
}
