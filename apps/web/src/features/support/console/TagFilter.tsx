/** Chooses the tag that the listed sessions have; not shown while no open session has one. */
import Tag from 'lucide-react/icons/tag';
import { Menu, MenuItem } from '../../../shared/ui/index.ts';

interface TagFilterProps {
  readonly counts: ReadonlyMap<string, number>;
  /** Null for any. */
  readonly tag: string | null;
  readonly onChange: (tag: string | null) => void;
}

export function TagFilter({ counts, tag, onChange }: TagFilterProps) {
  if (counts.size === 0) return null;
  return (
    <Menu
      label="Tag"
      align="end"
      trigger={
        <button
          type="button"
          aria-label={`Tag: ${tag ?? 'any'}`}
          className={`flex h-8 max-w-32 min-w-8 items-center justify-center gap-1 rounded-control px-1.5 text-12 font-medium hover:bg-raised hover:text-text max-md:h-11 max-md:min-w-11 ${tag === null ? 'text-text-2' : 'text-accent'}`}
        >
          <Tag size={13} aria-hidden="true" className="shrink-0" />
          {tag === null ? null : <span className="truncate">{tag}</span>}
        </button>
      }
    >
      <MenuItem onSelect={() => onChange(null)}>Any tag</MenuItem>
      <div className="max-h-72 overflow-y-auto">
        {[...counts].map(([name, count]) => (
          <MenuItem key={name} onSelect={() => onChange(name)}>
            {name}
            <span className="figures ml-auto pl-4 text-12 text-text-2">{count}</span>
          </MenuItem>
        ))}
      </div>
    </Menu>
  );
}
