/** The shortcuts of all trader pages, and the sheet that lists them. */
import Keyboard from 'lucide-react/icons/keyboard';
import Sparkles from 'lucide-react/icons/sparkles';
import { type ComponentType, useCallback, useState } from 'react';
import { useNavigate } from 'react-router';
import { assistantId } from '../../shared/actions/AssistantButton.tsx';
import { type Action, useActions } from '../../shared/actions/index.ts';
import { log } from '../../shared/log/log.ts';
import { useSignedIn } from '../../shared/session/index.ts';
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

interface LayerProps {
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
}

interface Layer {
  readonly name: string;
  readonly load: () => Promise<{ readonly default: ComponentType<LayerProps> }>;
}
const shortcutSheet: Layer = {
  name: 'shortcuts',
  load: () => import('../../shared/actions/ShortcutSheet.tsx'),
};
/** Loads in two steps: the first module contains the import of the second. */
const assistantPanel: Layer = {
  name: 'assistant',
  load: async () => (await import('../../features/assistant/index.ts')).loadAssistantPanel(),
};

/** A layer whose code loads when it is first opened. */
function useLayer({ name, load }: Layer) {
  const [Loaded, setLoaded] = useState<ComponentType<LayerProps> | null>(null);
  const [open, setOpen] = useState(false);
  const show = useCallback(() => {
    load().then(
      (module) => {
        setLoaded(() => module.default);
        setOpen(true);
      },
      (cause: unknown) => {
        log.warn(`The ${name} failed to load`, cause);
        showToast('error', `The ${name} failed to load`, {
          description: 'Please try again, or reload the page.',
          id: name,
        });
      },
    );
  }, [name, load]);
  return { show, layer: Loaded === null ? null : <Loaded open={open} onOpenChange={setOpen} /> };
}

/** The buttons in the header. They register the shortcuts, so a layout renders them once. */
export function ShellButtons() {
  const navigate = useNavigate();
  const isOwn = useSignedIn().impersonation === null;
  const sheet = useLayer(shortcutSheet);
  const assistant = useLayer(assistantPanel);
  const actions: readonly Action[] = [
    { id: 'shortcuts', label: 'Keyboard shortcuts', group: 'General', keys: ['?'], perform: sheet.show },
    ...(isOwn
      ? [
          {
            ...{ id: assistantId, label: 'Assistant', group: 'General' as const, keys: ['g a'] },
            perform: assistant.show,
          },
        ]
      : []),
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
      {isOwn ? (
        <IconButton label="Assistant" onClick={assistant.show} className="max-md:hidden">
          <Sparkles size={18} aria-hidden="true" />
        </IconButton>
      ) : null}
      <IconButton
        label="Keyboard shortcuts"
        aria-keyshortcuts="?"
        onClick={sheet.show}
        className="max-md:hidden"
      >
        <Keyboard size={18} aria-hidden="true" />
      </IconButton>
      {sheet.layer}
      {assistant.layer}
    </>
  );
}
