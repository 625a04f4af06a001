/** What can be done about the person, at the right of their name; what does not apply is absent. */
import Ellipsis from 'lucide-react/icons/ellipsis';
import Eye from 'lucide-react/icons/eye';
import Pencil from 'lucide-react/icons/pencil';
import Wallet from 'lucide-react/icons/wallet';
import { Button, IconButton, Menu, MenuItem, MenuSeparator } from '../../../shared/ui/index.ts';
import { actsFor, type DialogAct, type Person, type PersonAct, restrictWords } from '../people/index.ts';

const inSight = {
  funds: { label: 'Manage funds', Icon: Wallet },
  edit: { label: 'Edit user', Icon: Pencil },
  impersonate: { label: 'Impersonate', Icon: Eye },
} as const;
const isInSight = (act: PersonAct): act is keyof typeof inSight => act in inSight;

/** Of those that stand in the menu. */
function wordOf(act: PersonAct, person: Person): string {
  if (act === 'assign') return 'Assign manager…';
  if (act === 'restrict') return restrictWords(person);
  return 'Delete…';
}

export interface UserActsProps {
  readonly person: Person;
  readonly onAct: (act: DialogAct) => void;
}

export function UserActs({ person, onAct }: UserActsProps) {
  const acts = actsFor(person, 'users').filter((act) => act !== 'positions');
  const others = acts.filter((act) => !isInSight(act));
  return (
    <div className="flex flex-wrap items-center gap-2">
      {acts.filter(isInSight).map((act) => {
        const { label, Icon } = inSight[act];
        return (
          <Button key={act} aria-label={`${label}: ${person.username}`} onClick={() => onAct(act)}>
            <Icon size={14} aria-hidden="true" />
            {label}
          </Button>
        );
      })}
      {others.length === 0 ? null : (
        <Menu
          label={`More about ${person.username}`}
          align="end"
          trigger={
            <IconButton
              label={`More acts on ${person.username}`}
              className="size-9 border border-line-strong"
            >
              <Ellipsis size={16} aria-hidden="true" />
            </IconButton>
          }
        >
          {others.map((act) => (
            <div key={act}>
              {act === 'delete' && others.length > 1 ? <MenuSeparator /> : null}
              <MenuItem onSelect={() => onAct(act)}>
                <span className={act === 'delete' ? 'text-down' : ''}>{wordOf(act, person)}</span>
              </MenuItem>
            </div>
          ))}
        </Menu>
      )}
    </div>
  );
}
