/** The shortcuts of all trader pages, and the sheet that lists them. */
import Keyboard from 'lucide-react/icons/keyboard';
import { type ComponentType, useCallback, useState } from 'react';
import { useNavigate } from 'react-router';
import { type Action, useActions } from '../../shared/actions/index.ts';
import { log } from '../../shared/log/log.ts';
import { chooseTheme } from '../../shared/theme/appearance.ts';
import { IconButton, showToast } from '../../shared/ui/index.ts';

const pageShortcuts = [
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

/** The sheet's code loads when it is first opened. */
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
        log.warn('The shortcut sheet failed to load', cause);
        showToast('error', 'The shortcuts failed to load', {
          description: 'Please try again, or reload the page.',
          id: 'shortcuts',
        });
      },
    );
  }, []);
  return { show, sheet: Sheet === null ? null : <Sheet open={open} onOpenChange={setOpen} /> };
}

/** The button in the header. It registers the shortcuts, so a layout renders it once. */
export function ShortcutButton() {
  const navigate = useNavigate();
  const { show, sheet } = useSheet();
  const actions: readonly Action[] = [
    { id: 'shortcuts', label: 'Keyboard shortcuts', group: 'General', keys: ['?'], perform: show },
    ...pageShortcuts.map(({ to, label, keys }): Action => {
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
