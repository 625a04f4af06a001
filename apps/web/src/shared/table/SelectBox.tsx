/** The selection checkbox of a row, or of the header for all rows. Its label names what it selects. */
import Check from 'lucide-react/icons/check';
import Minus from 'lucide-react/icons/minus';

interface SelectBoxProps {
  /** `Select zoe.martin`. */
  readonly label: string;
  readonly state: 'all' | 'some' | 'none';
  readonly onChange: () => void;
}

export function SelectBox({ label, state, onChange }: SelectBoxProps) {
  return (
    <span className="relative z-1 inline-grid size-6 shrink-0 place-items-center max-md:size-11">
      <input
        type="checkbox"
        aria-label={label}
        checked={state === 'all'}
        ref={(box) => {
          if (box) box.indeterminate = state === 'some';
        }}
        onChange={onChange}
        className="peer absolute inset-0 cursor-pointer appearance-none rounded-control"
      />
      <span className="pointer-events-none grid size-4 place-items-center rounded-[4px] border border-line-control bg-inset text-on-fill peer-checked:border-accent peer-checked:bg-accent peer-indeterminate:border-accent peer-indeterminate:bg-accent">
        {state === 'all' ? <Check size={12} strokeWidth={3} aria-hidden="true" /> : null}
        {state === 'some' ? <Minus size={12} strokeWidth={3} aria-hidden="true" /> : null}
      </span>
    </span>
  );
}
