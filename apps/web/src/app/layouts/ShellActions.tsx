/** The keys that work on every page of the trader, and the sheet that lists all of them. */
import Keyboard from 'lucide-react/icons/keyboard';
import { type ComponentType, useCallback, useState } from 'react';
import { useNavigate } from 'react-router';
import { type Action, useActions } from '../../shared/actions/index.ts';
import { log } from '../../shared/log/log.ts';
import { chooseTheme } from '../../shared/theme/appearance.ts';
import { announce, IconButton } from '../../shared/ui/index.ts';

const places = [
  { to: '/dashboard', label: 'Dashboard', keys: 'g d' },
  { to: '/trading', label: 'Trading', keys: 'g t' },
  { to: '/wallet', label: 'Wallet', keys: 'g w' },
  { to: '/chat', label: 'Support', keys: 'g s' },
  { to: '/profile', label: 'Profile', keys: 'g p' },
] as const;

const toggleTheme = () => chooseTheme(document.documentElement.dataset.theme === 'light' ? 'dark' : 'light');

interface SheetProps {
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
}

/** The sheet's code comes with the first wish to see it. */
function useSheet() {
  const [Sheet, setSheet] = useState<ComponentType<SheetProps> | null>(null);
  const [open, setOpen] = useState(false);
  const show = useCallback(() => {
    import('../../shared/actions/ShortcutSheet.tsx').then(
      (module) => {
        setSheet(() => module.default);
        setOpen(true);
      },
      (cause: unknown) => {
        log.warn('The sheet of shortcuts could not be fetched', cause);
        announce('error', 'The shortcuts could not be loaded', {
          description: 'Please try again, or reload the page.',
          id: 'shortcuts',
        });
      },
    );
  }, []);
  return { show, sheet: Sheet === null ? null : <Sheet open={open} onOpenChange={setOpen} /> };
}

/** The button in the head; it brings the keys with it, so it stands once in a layout. */
export function ShortcutButton() {
  const navigate = useNavigate();
  const { show, sheet } = useSheet();
  const actions: readonly Action[] = [
    { id: 'shortcuts', label: 'Keyboard shortcuts', group: 'General', keys: ['?'], perform: show },
    ...places.map(({ to, label, keys }): Action => {
      const perform = () => void navigate(to);
      return { id: `go ${to}`, label: `Go to ${label}`, group: 'General', keys: [keys], perform };
    }),
    {
      id: 'theme',
      label: 'Switch between dark and light',
      group: 'General',
      keys: ['Shift+D'],
      perform: toggleTheme,
    },
  ];
  useActions(actions);
  return (
    <>
      <IconButton label="Keyboard shortcuts" aria-keyshortcuts="?" onClick={show} className="max-md:hidden">
        <Keyboard size={18} aria-hidden="true" />
      </IconButton>
      {sheet}
    </>
  );
}
