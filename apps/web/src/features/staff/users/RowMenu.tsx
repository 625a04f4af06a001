/** What staff may do about a person: the most used acts as buttons of their own, all of them in a menu. */
import Ban from 'lucide-react/icons/ban';
import ChartCandlestick from 'lucide-react/icons/chart-candlestick';
import Ellipsis from 'lucide-react/icons/ellipsis';
import Eye from 'lucide-react/icons/eye';
import SquarePen from 'lucide-react/icons/square-pen';
import Trash2 from 'lucide-react/icons/trash-2';
import UserCog from 'lucide-react/icons/user-cog';
import Wallet from 'lucide-react/icons/wallet';
import { Fragment } from 'react';
import { IconButton, Menu, MenuItem, MenuSeparator } from '../../../shared/ui/index.ts';
import { actsFor, type Person, type PersonAct, type Place, restrictWords } from '../people/index.ts';

interface Look {
  /** In the menu. */
  readonly words: string;
  /** As the name of a button, before the person's. */
  readonly of: string;
  readonly Icon: typeof Ban;
}

const looks = {
  edit: { words: 'Edit user…', of: 'Edit', Icon: SquarePen },
  positions: { words: 'View positions', of: 'View positions of', Icon: ChartCandlestick },
  funds: { words: 'Manage funds…', of: 'Manage funds of', Icon: Wallet },
  assign: { words: 'Assign manager…', of: 'Assign manager of', Icon: UserCog },
  impersonate: { words: 'Impersonate…', of: 'Impersonate', Icon: Eye },
  restrict: { words: 'Restrict…', of: 'Restrict', Icon: Ban },
  delete: { words: 'Delete user…', of: 'Delete', Icon: Trash2 },
} as const satisfies Record<PersonAct, Look>;

/** With a line between the groups. */
const groups: readonly (readonly PersonAct[])[] = [
  ['edit', 'positions', 'funds', 'assign'],
  ['impersonate', 'restrict'],
  ['delete'],
];

const wordsOf = (act: PersonAct, person: Person): string =>
  act === 'restrict' ? restrictWords(person) : looks[act].words;

interface RowMenuProps {
  readonly person: Person;
  readonly place: Place;
  /** Beside the menu; what does not apply to this person is left out. */
  readonly buttons: readonly PersonAct[];
  readonly onAct: (act: PersonAct, person: Person) => void;
}

export function RowMenu({ person, place, buttons, onAct }: RowMenuProps) {
  const offered = actsFor(person, place);
  const shown = groups
    .map((group) => group.filter((act) => offered.includes(act)))
    .filter((g) => g.length > 0);
  const icon = 'text-text-3 group-hover/row:text-text';
  return (
    <span className="inline-flex items-center justify-end gap-0.5">
      {buttons
        .filter((act) => offered.includes(act))
        .map((act) => {
          const { of, Icon } = looks[act];
          return (
            <IconButton
              key={act}
              label={`${of} ${person.username}`}
              className={`!size-7 max-md:!size-11 ${icon}`}
              onClick={() => onAct(act, person)}
            >
              <Icon size={15} aria-hidden="true" />
            </IconButton>
          );
        })}
      <Menu
        label={`Actions for ${person.username}`}
        align="end"
        trigger={
          <IconButton
            label={`More actions for ${person.username}`}
            className={`!size-7 data-[state=open]:bg-raised data-[state=open]:text-text data-[state=open]:outline-2 data-[state=open]:outline-accent max-md:!size-11 ${icon}`}
          >
            <Ellipsis size={16} aria-hidden="true" />
          </IconButton>
        }
      >
        <p aria-hidden="true" className="max-w-52 truncate px-2.5 pt-1.5 pb-1 text-11 text-text-3">
          {person.username}
        </p>
        {shown.map((group, at) => (
          <Fragment key={group[0]}>
            {at === 0 ? null : <MenuSeparator />}
            {group.map((act) => {
              const { Icon } = looks[act];
              return (
                <MenuItem key={act} onSelect={() => onAct(act, person)}>
                  <Icon
                    size={15}
                    aria-hidden="true"
                    className={act === 'delete' ? 'text-down' : 'text-text-2'}
                  />
                  <span className={act === 'delete' ? 'text-down' : ''}>{wordsOf(act, person)}</span>
                </MenuItem>
              );
            })}
          </Fragment>
        ))}
      </Menu>
    </span>
  );
}
